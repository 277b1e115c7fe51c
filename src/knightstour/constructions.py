"""Tours of boards of any size by formulas, square by square without an array."""

from __future__ import annotations

from knightstour import _names

__getattr__, __dir__, __all__ = _names.attach(__name__, __file__)
