"""Puzzles with one solution: made, rated, explained step by step, checked, read, and laid out on sheets to print."""

from __future__ import annotations

from knightstour import _names

__getattr__, __dir__, __all__ = _names.attach(__name__, __file__)
