"""Sequences of counts as the OEIS has them: found, checked, continued and written."""

from __future__ import annotations

from knightstour import _names

__getattr__, __dir__, __all__ = _names.attach(__name__, __file__)
