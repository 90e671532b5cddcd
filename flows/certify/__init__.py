"""The Prefect flow that certifies a game, and its deployments."""
