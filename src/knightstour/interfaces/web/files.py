"""The files of the page as they are sent: each with its type and its tag, compressed once and held in memory.

The start page gets a line for each module, so that the browser asks for all of them at once and not for one after the
other as it reads them. The lines come from the imports themselves (modules.py).
"""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Final, NamedTuple

from knightstour.interfaces.web.modules import STATIC, modules_of

# The types of the system may be wrong, and browsers refuse scripts that have another type.
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
_START: Final = "index.html"
_ENTRY: Final = "app.js"


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
        self._held: dict[str, tuple[int, Sent]] = {}

    def get(self, path: str) -> Sent | None:
        """The file at a path of the page, if there is one."""
        name = path.removeprefix("/") or _START
        if name not in self._names:
            return None
        file = self.static / name
        changed = file.stat().st_mtime_ns
        held = self._held.get(name)
        if held is None or held[0] != changed:
            body = file.read_bytes()
            if name == _START and _ENTRY in self._names:
                body = body.replace(b"</head>", f"{self._preloads()}</head>".encode())
            # Weak: the compressed body is another one, and means the same.
            tag = f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'
            held = self._held[name] = changed, Sent(body, gzip.compress(body, 9, mtime=0), tag, _TYPES[file.suffix])
        return held[1]

    def _preloads(self) -> str:
        """A line for each module that the page loads at its start."""
        modules = [path for path in modules_of(_ENTRY, self.static) if path != _ENTRY and path.endswith(".js")]
        return "".join(f'<link rel="modulepreload" href="{path}">\n' for path in modules)
