"""Data sets: millions of tours as Parquet files, written in parts, checked, and read in batches."""
