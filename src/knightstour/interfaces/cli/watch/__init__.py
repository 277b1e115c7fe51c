"""Searches watched in a terminal."""
