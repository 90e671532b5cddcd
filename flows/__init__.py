"""Orchestration with Prefect, and the command line."""
