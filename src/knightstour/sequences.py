"""Sequences of counts in the OEIS: find, check and continue them."""

from __future__ import annotations

from knightstour import _names

__getattr__, __dir__, __all__ = _names.attach(__name__, __file__)
