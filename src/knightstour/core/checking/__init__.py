"""Checks of tours from elsewhere: arrays of millions of tours, giant files, and reports on them."""
