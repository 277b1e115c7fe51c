"""Exact counts and estimates of the number of tours, and ranking of tours."""
