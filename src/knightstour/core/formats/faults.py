"""Kinds of FormatError on which the reading of a text depends; users see them as FormatError."""

from __future__ import annotations

from knightstour.core.model.errors import FormatError


class TruncatedText(FormatError):
    """The text is in a known format, but its end or a part is missing."""


class UnknownFormat(FormatError):
    """The beginning of the text fits no format."""
