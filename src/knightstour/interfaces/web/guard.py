"""Who may use the server: its own pages and programs on this computer, but no other web site.

Any web site can make the browser of its visitors send requests to this server. The browser then writes the site into
`Origin`, or `cross-site` into `Sec-Fetch-Site`, and the guard refuses the request. A site can also give its own name
the address of this server (DNS rebinding), so that the browser takes both for one site. Then `Host` is the name of the
site, and the guard refuses that as well: it accepts only names of this computer and plain addresses, which nobody can
rebind.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# What the page may load; scripts/make_page.py says what differs where the library runs in the browser.
POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}


def policy_text(policy: Mapping[str, str]) -> str:
    """A content security policy as headers and pages have it.

    >>> policy_text({"default-src": "'none'", "script-src": "'self'"})
    "default-src 'none'; script-src 'self'"
    """
    return "; ".join(f"{name} {sources}" for name, sources in policy.items())


_HEADERS: Final = {
    "content-security-policy": policy_text(POLICY),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_LOCAL_NAMES = ("localhost", "localhost.localdomain")


def is_loopback(address: str) -> bool:
    """Whether an address is this computer's own.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("192.168.0.7"), is_loopback("localhost")
    (True, True, False, False)
    """
    found = _address(address)
    return found is not None and found.is_loopback


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return None


class Guard:
    """An application that passes on to another the requests that may come, and adds headers to the answers.

    names: the host names of the server, besides localhost.
    is_remote: whether a request may name the server by any plain address, not only by those of this computer.
    """

    def __init__(self, app: ASGIApp, *, names: Collection[str] = (), is_remote: bool = False) -> None:
        self.app = app
        self.names = {*_LOCAL_NAMES, *(name.lower() for name in names)}
        self.is_remote = is_remote

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        from starlette.datastructures import MutableHeaders
        from starlette.responses import JSONResponse

        # The page asks each time whether its files are still the same, which it sees from their ETag.
        cached = "no-store" if scope["path"].startswith("/api/") else "no-cache"

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update({**_HEADERS, "cache-control": cached})
            await send(message)

        refusal = self.why_not(scope)
        app = self.app
        if refusal is not None:
            app = JSONResponse({"error": refusal, "note": "", "help": "open the page at its own address"}, 403)
        await app(scope, receive, sealed)

    def why_not(self, scope: Scope) -> str | None:
        """Why a request is refused, or None."""
        from starlette.datastructures import Headers

        headers = Headers(scope=scope)
        for name in ("host", "origin"):
            if len(headers.getlist(name)) > 1:
                return f"the request has more than one {name}"
        host = headers.get("host", "").lower()
        if not self._is_ours(host):
            return f"this server is not {host[:100]!r}"
        ours = f"{scope['scheme']}://{host}"
        # A link on another site may lead to the page.
        is_link = headers.get("sec-fetch-mode") == "navigate" and scope["method"] == "GET"
        is_visit = is_link and not scope["path"].startswith("/api/")
        is_foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not is_visit
        if is_foreign or headers.get("origin", ours).lower() != ours:
            return "pages of other sites get nothing from here"
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self.names or is_loopback(name) or (self.is_remote and _address(name) is not None)
