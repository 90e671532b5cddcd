"""Exact numbers and tables: integers and fractions, their digests, their text, compiled kernels."""
