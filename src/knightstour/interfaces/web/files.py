"""The files of the page as they are sent: each with its type and its tag, compressed once and held in memory.

The start page gets a line for each module, so that the browser asks for all of them at once and not for one after the
other as it reads them. The lines come from the imports themselves (modules.py).
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from knightstour.interfaces.web.embed import embed_script
from knightstour.interfaces.web.modules import STATIC, modules_of

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

# Smaller answers are as quick as they are.
LEAST_COMPRESSED: Final = 1000
# Compressing more than this takes milliseconds, in which the server would do nothing else.
_MOST_AT_ONCE = 50_000
_LEVEL = 6
# The types of the system may be wrong, and browsers refuse scripts that have another type.
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
START: Final = "index.html"
ENTRY: Final = "app.js"
# What is no file of the page, but made of some.
_MADE: Final[dict[str, Callable[[], str]]] = {"knights-tour.js": embed_script}


class Sent(NamedTuple):
    """A file as it is sent: body, the same compressed, its tag, and its type."""

    body: bytes
    small: bytes
    tag: str
    kind: str


def accepts_gzip(accepted: str) -> bool:
    """Whether a header Accept-Encoding allows gzip.

    >>> accepts_gzip("gzip, br"), accepts_gzip("br, gzip;q=0"), accepts_gzip("")
    (True, False, False)
    """
    for part in accepted.lower().split(","):
        name, _, quality = part.strip().partition(";")
        if name.strip() in ("gzip", "*"):
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


async def send_body(body: bytes, kind: str, scope: Scope, receive: Receive, send: Send, status: int = 200) -> None:
    """Send an answer, compressed where the client takes that and it is worth it: texts, and not the smallest ones."""
    from starlette.datastructures import Headers
    from starlette.responses import Response

    is_text = kind.startswith(("text/", "application/json", "image/svg"))
    headers = {"Vary": "Accept-Encoding"} if is_text else {}
    if is_text and len(body) >= LEAST_COMPRESSED and accepts_gzip(Headers(scope=scope).get("accept-encoding", "")):
        if len(body) > _MOST_AT_ONCE:
            body = await asyncio.to_thread(gzip.compress, body, _LEVEL)
        else:
            body = gzip.compress(body, _LEVEL)
        headers["Content-Encoding"] = "gzip"
    await Response(body, status, headers, kind)(scope, receive, send)


class Files:
    """The application that sends the files of a folder; a file that changes meanwhile is read again.

    Names are those that were there at the start, so no path leads out of the folder.
    """

    def __init__(self, static: Path = STATIC) -> None:
        self.static = static
        self._names = {path.relative_to(static).as_posix() for path in static.rglob("*") if path.suffix in _TYPES}
        self._held: dict[str, tuple[int, Sent]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.datastructures import Headers
        from starlette.exceptions import HTTPException
        from starlette.responses import Response

        name = scope["path"].removeprefix("/") or START
        if name not in self._names | _MADE.keys():
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        asked = Headers(scope=scope)
        file = self._file(name)
        headers = {"ETag": file.tag, "Vary": "Accept-Encoding"}
        if file.tag in (tag.strip() for tag in asked.get("if-none-match", "").split(",")):
            await Response(None, 304, headers)(scope, receive, send)
            return
        body = file.body
        if len(body) >= LEAST_COMPRESSED and accepts_gzip(asked.get("accept-encoding", "")):
            body = file.small
            headers["Content-Encoding"] = "gzip"
        await Response(body, 200, headers, file.kind)(scope, receive, send)

    def _file(self, name: str) -> Sent:
        changed = 0 if name in _MADE else (self.static / name).stat().st_mtime_ns
        held = self._held.get(name)
        if held is None or held[0] != changed:
            held = self._held[name] = changed, _sent(self._body(name), _TYPES["." + name.rpartition(".")[2]])
        return held[1]

    def _body(self, name: str) -> bytes:
        if name in _MADE:
            return _MADE[name]().encode()
        body = (self.static / name).read_bytes()
        return body.replace(b"</head>", f"{self._preloads()}</head>".encode()) if name == START else body

    def _preloads(self) -> str:
        """A line for each module that the page loads at its start."""
        if ENTRY not in self._names:
            return ""
        modules = [path for path in modules_of(ENTRY, self.static) if path != ENTRY]
        return "".join(f'<link rel="modulepreload" href="{path}">\n' for path in modules)


def _sent(body: bytes, kind: str) -> Sent:
    # Weak: the compressed body is another one, and means the same.
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'
    return Sent(body, gzip.compress(body, 9, mtime=0), tag, kind)
