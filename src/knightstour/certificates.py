"""Certificates of results and counts, and their verification by independent checkers."""

from __future__ import annotations

from knightstour import _names

__getattr__, __dir__, __all__ = _names.attach(__name__, __file__)
