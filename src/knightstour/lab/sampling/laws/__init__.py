"""The laws by which tours are drawn."""
