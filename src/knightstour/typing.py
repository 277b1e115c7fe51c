"""Types of what functions take and return, for annotations: most people only receive them."""

from __future__ import annotations

from knightstour import _names

__getattr__, __dir__, __all__ = _names.attach(__name__, __file__)
