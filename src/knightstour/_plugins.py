"""The modules that fill what lower folders leave open (core/model/lazy.py): the one place where the rings meet."""

from __future__ import annotations

from knightstour.core.model.lazy import register

# Tables, and the modules that add rows to them.
ROWS = {
    "methods": ("knightstour.lab.museum.rows", "knightstour.lab.objectives.rows"),
    "styles": ("knightstour.lab.pictures.rows",),
}
# What a value or a function hands on, and the module that does it.
DOERS = {
    # A tour or a board is asked for its picture, or for a file of it.
    "pictures": ("knightstour.core.drawing.svg.picture",),
    "picture files": ("knightstour.core.drawing.pictures",),
    "files": ("knightstour.core.formats.saving",),
    "pages with a player": ("knightstour.interfaces.web.embed",),
    "pages in notebooks": ("knightstour.interfaces.web.widget",),
    # A picture is kept in a file that appears when it is complete.
    "safe files": ("knightstour.core.machine.files",),
    # Files of DXF and TikZ.
    "drawings of other programs": ("knightstour.lab.pictures.drawings",),
    # `Board.from_image`.
    "boards of images": ("knightstour.lab.pictures.images",),
    # `Result.certificate`, and `solve(..., objective=...)`.
    "certificates": ("knightstour.lab.certificates.certify",),
    "objectives": ("knightstour.lab.objectives.asked",),
    # The condition `where`, and the search for a tour that meets it.
    "ranges of statistics": ("knightstour.core.statistics.where",),
    "bounds of ranges": ("knightstour.core.statistics.magic",),
    "searches of ranges": ("knightstour.lab.objectives.goals",),
    # Within the lab: the proofs that a tour is best, and the number of a board that is too large to count.
    "proofs by halves": ("knightstour.lab.counting.census.best",),
    "proofs by matchings": ("knightstour.lab.counting.matchings",),
    "known numbers": ("knightstour.lab.sequences.table",),
}

register(ROWS | DOERS)
