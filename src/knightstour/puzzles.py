"""Puzzles as text and as printed sheets, and the types of their functions."""

from __future__ import annotations

from knightstour import _names

__getattr__, __dir__, __all__ = _names.attach(__name__, __file__)
