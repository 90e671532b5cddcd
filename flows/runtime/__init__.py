"""What a run needs around it: a dask cluster, a Prefect server, children that end with us."""
