"""Sequences of counts: what entries of the OEIS count, as questions that the counters answer; checked and continued."""

from __future__ import annotations

from knightstour import _names

__getattr__, __dir__, __all__ = _names.attach(__name__, __file__)
