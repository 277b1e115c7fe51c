"""Who may ask: nobody but this server's own pages, and programs on this computer.

A web site that someone visits can make the visitor's browser send requests to any address, this server's too. Such a
request names the site in its `Origin`, or says `cross-site`, and is refused. And a site can give its own name our
address (DNS rebinding), so that the browser takes both for one: then `Host` names the site, and is refused as well.
Only names of this computer and plain addresses, which nobody can rebind, are served.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
_HEADERS: Final = {
    b"content-security-policy": _POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}
_LOCAL_NAMES = ("localhost", "localhost.localdomain")


def is_loopback(address: str) -> bool:
    """Whether an address is this computer's own.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("192.168.0.7"), is_loopback("localhost")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


class Guard:
    """An application that lets only those requests through to another that may ask, and seals the answers.

    names: host names under which the server may be asked for, besides localhost.
    is_remote: whether it may be asked for by any plain address, not only by those of this computer.
    """

    def __init__(self, app: ASGIApp, *, names: Collection[str] = (), is_remote: bool = False) -> None:
        self.app = app
        self.names = {*_LOCAL_NAMES, *(name.lower() for name in names)}
        self.is_remote = is_remote

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_api = scope["path"].startswith("/api/")

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name, value) for name, value in message["headers"] if name.lower() not in _HEADERS]
                headers += _HEADERS.items()
                # The page asks each time whether its files are still the same, which it sees from their ETag.
                headers.append((b"cache-control", b"no-store" if is_api else b"no-cache"))
                message = {**message, "headers": headers}
            await send(message)

        excuse = self.why_not(scope)
        if excuse is None:
            await self.app(scope, receive, sealed)
            return
        body = json.dumps({"error": excuse, "note": "", "help": "open the page at its own address"}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await sealed({"type": "http.response.start", "status": 403, "headers": headers})
        await sealed({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    def why_not(self, scope: Scope) -> str | None:
        """Why a request is refused, or None."""
        headers: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in (b"host", b"origin") and name in headers:
                return f"the request has more than one {name.decode()}"
            headers[name] = value
        host = headers.get(b"host", b"").decode("latin1").lower()
        if not self._is_ours(host):
            return f"this server is not {host[:100]!r}"
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin1").lower() != f"{scope['scheme']}://{host}":
            return "pages of other sites get nothing from here"
        site = headers.get(b"sec-fetch-site", b"none")
        # A link on another site may lead to the page.
        is_visit = headers.get(b"sec-fetch-mode") == b"navigate" and scope["method"] == "GET"
        is_visit = is_visit and not scope["path"].startswith("/api/")
        if site not in (b"none", b"same-origin") and not is_visit:
            return "pages of other sites get nothing from here"
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self.names or is_loopback(name):
            return True
        if not self.is_remote:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True
