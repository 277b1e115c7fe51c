"""Distributions of random tours."""
