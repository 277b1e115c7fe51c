"""Checks of tours from elsewhere: arrays of millions of tours, and reports on them."""
