"""The modules that add rows to the tables of lower folders (core/model/lazy.py)."""

from __future__ import annotations

from knightstour.core.model.lazy import register

ROWS = {
    "conditions": ("knightstour.core.statistics.rows",),
    "methods": ("knightstour.lab.museum.rows", "knightstour.lab.objectives.rows"),
    "styles": ("knightstour.lab.pictures.rows",),
    "picture kinds": ("knightstour.lab.pictures.rows", "knightstour.interfaces.web.rows"),
}

register(ROWS)
