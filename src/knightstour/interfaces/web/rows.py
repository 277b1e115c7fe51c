"""The web page with a player, as a row of PICTURE_KINDS (core/drawing/kinds.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightstour.core.drawing.kinds import PICTURE_KINDS, PictureKind
from knightstour.core.model.lazy import Lazy

if TYPE_CHECKING:
    from knightstour.interfaces.web import embed as _embed
else:
    _embed = Lazy("knightstour.interfaces.web.embed")

PICTURE_KINDS["html"] = PictureKind(
    "a web page with a player", "text/html; charset=utf-8", (".html",), is_text=True, draw_page=_embed.to_page
)
