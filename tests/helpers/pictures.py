"""Pictures with paths and windows, which `draw` does not offer."""

from typing import Any

from knightstour.core.drawing.pictures import picture_of


def svg(subject: Any, **options: Any) -> str:
    """Return the SVG of a subject."""
    return str(picture_of(subject, "svg", **options))


def png(subject: Any, **options: Any) -> bytes:
    """Return the PNG of a subject."""
    return bytes(picture_of(subject, "png", **options))


def pdf(subject: Any, **options: Any) -> bytes:
    """Return the PDF of a subject."""
    return bytes(picture_of(subject, "pdf", **options))
