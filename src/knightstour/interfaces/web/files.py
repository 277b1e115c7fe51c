"""The files of the page as they are sent: each with its type and its tag, compressed once and held in memory.

The page asks for few of them: its modules come as one script, app.js, and its styles as one sheet (modules.py). Each
module is there by its own name, too.
"""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Final, NamedTuple

from knightstour.interfaces.web.modules import STATIC, page_script, page_style, start_page

# The types of the system may be wrong, and browsers refuse scripts that have another type.
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
_START: Final = "index.html"
# What is made of many files.
_MADE: Final = {_START: start_page, "app.js": page_script, "page.css": page_style}


class Sent(NamedTuple):
    """A file as it is sent: body, the same compressed, its tag, and its type."""

    body: bytes
    small: bytes
    tag: str
    kind: str


class Files:
    """The files of a folder; one that changes meanwhile is read again.

    Names are those that were there at the start, so no path leads out of the folder.
    """

    def __init__(self, static: Path = STATIC) -> None:
        self.static = static
        self._names = {path.relative_to(static).as_posix() for path in static.rglob("*") if path.suffix in _TYPES}
        # A folder without the page's script is sent as it is.
        self._made = _MADE if _MADE.keys() - {"page.css"} <= self._names else {}
        self._names |= self._made.keys()
        self._held: dict[str, tuple[int, Sent]] = {}

    def get(self, path: str) -> Sent | None:
        """The file at a path of the page, if there is one."""
        name = path.removeprefix("/") or _START
        if name not in self._names:
            return None
        file = self.static / name
        parts = [self.static / each for each in self._names - {"page.css"}] if name in self._made else [file]
        changed = max(part.stat().st_mtime_ns for part in parts)
        held = self._held.get(name)
        if held is None or held[0] != changed:
            body = self._made[name](self.static).encode() if name in self._made else file.read_bytes()
            # Weak: the compressed body is another one, and means the same.
            tag = f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'
            held = self._held[name] = changed, Sent(body, gzip.compress(body, 9, mtime=0), tag, _TYPES[file.suffix])
        return held[1]
