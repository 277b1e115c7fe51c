"""Tours by the million in Parquet files that other tools read: packed, written in parts, checked, read in batches."""
