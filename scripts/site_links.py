"""Check that the links of a built site work, and that it needs no network. Links to other hosts are not followed."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

# Files that a browser loads automatically: element -> attribute.
_FETCHED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "video": "src", "embed": "src"}
_FETCHING_RELATIONS = {"stylesheet", "preload", "prefetch", "icon", "preconnect", "modulepreload", "manifest"}


class Page(NamedTuple):
    """A page of the site: its links, fetched files, and anchors."""

    links: set[str]
    fetched: set[str]
    places: set[str]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page(set(), set(), set())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Store links, fetched files and anchors."""
        of = {name: value or "" for name, value in attrs}
        self.page.places.update(of[name] for name in ("id", "name") if name in of)
        if tag == "a" and "href" in of:
            self.page.links.add(of["href"])
        elif tag in _FETCHED and _FETCHED[tag] in of:
            self.page.fetched.add(of[_FETCHED[tag]])
        elif tag == "link" and "href" in of:
            fetches = _FETCHING_RELATIONS & set(of.get("rel", "").split())
            (self.page.fetched if fetches else self.page.links).add(of["href"])


def read(path: Path) -> Page:
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader.page


def faults(site: Path) -> list[str]:
    """Return the faults: dead links, and files from other hosts."""
    pages = {path: read(path) for path in sorted(site.rglob("*.html"))}
    found = [] if pages else [f"{site}: no page"]
    for path, page in pages.items():
        for link in sorted(page.links | page.fetched):
            fault = fault_of(path, link, pages, is_fetched=link in page.fetched)
            if fault:
                found.append(f"{path.relative_to(site)}: {link}: {fault}")
    for path in site.rglob("*.css"):
        for address in re.findall(
            r"(?:url\(|@import\s*)[\"']?((?:https?:)?//[^)\"']+)", path.read_text(encoding="utf-8")
        ):
            found.append(f"{path.relative_to(site)}: {address}: fetched from elsewhere")
    return found


def fault_of(path: Path, link: str, pages: dict[Path, Page], *, is_fetched: bool) -> str:
    """Return the fault of a link, or ""."""
    address = urlsplit(link)
    if address.scheme == "data":
        return ""
    if address.scheme or address.netloc:
        return "fetched from elsewhere" if is_fetched else ""
    target = (path.parent / unquote(address.path)).resolve() if address.path else path
    if not target.is_file():
        return "there is no such file"
    place = unquote(address.fragment)
    if place and target in pages and place not in pages[target].places:
        return "there is no such place on the page"
    return ""


def count_links(site: Path) -> int:
    """Return the number of internal links, counted once per page."""
    return sum(not urlsplit(link).scheme for path in site.rglob("*.html") for link in read(path).links)
