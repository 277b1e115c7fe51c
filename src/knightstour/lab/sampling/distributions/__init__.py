"""The distributions from which tours are drawn."""
