"""Where results are kept, and how tables and strategies stand in Parquet."""
