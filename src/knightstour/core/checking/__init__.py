"""Checks of tours from files and arrays, and reports on them."""
