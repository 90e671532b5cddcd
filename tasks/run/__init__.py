"""A run: its plan, its jobs over dask, one part, and all parts added up."""
