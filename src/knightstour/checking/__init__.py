"""Checks of tours that others made: arrays of millions, giant files, and what a report says of them."""
