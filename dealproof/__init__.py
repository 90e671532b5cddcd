"""The program's own name: where the command line starts."""
