"""Access control of the server: accept its own pages and programs on this computer, and reject other web sites.

Any web site can make the browser of its visitors send requests to this server. The browser then writes the site into
`Origin`, or `cross-site` into `Sec-Fetch-Site`, and the guard rejects the request. A site can also map its own name to
the address of this server (DNS rebinding), so that the browser treats both as one site. Then `Host` is the name of the
site, and the guard rejects that as well: it accepts only names of this computer and plain addresses, which cannot be
rebound.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping
from email.message import Message
from typing import Final

# Sources that the page may load; see scripts/make_page.py for the policy of the page without a server.
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
    """Return a content security policy as text for a header or a page.

    >>> policy_text({"default-src": "'none'", "script-src": "'self'"})
    "default-src 'none'; script-src 'self'"
    """
    return "; ".join(f"{name} {sources}" for name, sources in policy.items())


HEADERS: Final = {
    "content-security-policy": policy_text(POLICY),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_LOCAL_NAMES = ("localhost", "localhost.localdomain")
# An IPv6 address in brackets, or a name or an IPv4 address; then a port.
_HOST: Final = re.compile(r"(?:\[([0-9a-f:.]+)\]|([0-9a-z_.-]+))(?::[0-9]{1,5})?")


def is_loopback(address: str) -> bool:
    """Whether an address is a loopback address of this computer.

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
    """Decides whether a request is accepted.

    names: host names of the server, in addition to localhost.
    is_remote: whether a request may use any plain address as the name of the server, not only a loopback address.
    """

    def __init__(self, names: Collection[str] = (), *, is_remote: bool = False) -> None:
        self.names = {*_LOCAL_NAMES, *(name.lower() for name in names)}
        self.is_remote = is_remote

    def why_not(self, method: str, path: str, headers: Message) -> str | None:
        """Return the reason why a request is rejected, or None. headers: the headers from http.server.

        >>> from email.message import Message
        >>> headers = Message()
        >>> headers["Host"] = "localhost/evil"
        >>> Guard().why_not("GET", "/", headers)
        "this server is not 'localhost/evil'"
        """
        for name in ("host", "origin", "sec-fetch-site", "sec-fetch-mode"):
            if len(headers.get_all(name, [])) > 1:
                return f"the request has more than one {name}"
        host = str(headers.get("host", "")).lower()
        if not self._is_ours(host):
            return f"this server is not {host[:100]!r}"
        ours = f"http://{host}"
        # A link on another site may lead to the page.
        is_visit = headers.get("sec-fetch-mode") == "navigate" and method == "GET" and not path.startswith("/api/")
        is_foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not is_visit
        if is_foreign or str(headers.get("origin", ours)).lower() != ours:
            return "pages of other sites get nothing from here"
        return None

    def _is_ours(self, host: str) -> bool:
        match = _HOST.fullmatch(host)
        name = "" if match is None else match[1] or match[2]
        return name in self.names or is_loopback(name) or (self.is_remote and _address(name) is not None)
