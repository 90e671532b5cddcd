"""The commands of `dealproof`, one module each: arguments in, computing asked for, text out."""
