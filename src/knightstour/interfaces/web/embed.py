"""Embedded pages: an HTML file that replays a tour, its element `<knights-tour>`, and the page as a single text.

All are made of the page's own modules, style and icons, and ask no server for anything.
"""

from __future__ import annotations

import functools
import json
import re
from html import escape
from string import Template
from typing import Final, TypedDict

import numpy as np

from knightstour.core.checking.reports import Report
from knightstour.core.drawing.figure import Drawable, TourLike, figure_of
from knightstour.core.drawing.look import Look, LookOptions, check_names, look_of
from knightstour.core.drawing.styles import STYLES
from knightstour.core.drawing.svg.picture import svg_of
from knightstour.core.formats.tours import format_tour
from knightstour.core.model.board import Board, square_count, title_of
from knightstour.core.model.errors import FormatError, check_own_answer
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import real_number
from knightstour.interfaces.web.modules import (
    STATIC,
    bundle,
    modules_of,
    name_of,
    page_script,
    page_style,
    short_style,
    start_page,
    texts_of,
    texts_used,
)

ELEMENT: Final = "element/element.js"
# Style sheets and icons of the page that the element uses.
_SHEETS: Final = ("style/base", "style/fields", "style/board", "style/player", "style/wishes", "element/element")
_ICONS: Final = ("play", "pause", "first", "last", "back", "next")
# The longest side that the page's modules show.
MAX_SIDE: Final = 60


class PageOptions(TypedDict, total=False):
    """The options of `to_page`."""

    style: str
    theme: str
    numbers: bool | int
    size: float | None
    title: str | None


@functools.cache
def element_script() -> str:
    """Return the script, in one file, that displays the elements `<knights-tour>` of an HTML file."""
    sheet = "".join((STATIC / f"{name}.css").read_text("utf-8") for name in _SHEETS)
    # The page's own element is the root of the element's box.
    sheet = re.sub(r":root(\[[^\]]*\])?", lambda match: f":host({match[1]})" if match[1] else ":host", sheet)
    page = (STATIC / "index.html").read_text("utf-8")
    icons = "".join(re.findall(rf'<symbol id="i-(?:{"|".join(_ICONS)})".*?</symbol>', page))
    parts = {
        "style": short_style(sheet),
        "icons": f'<svg class="sprite" aria-hidden="true">{icons}</svg>',
        # English is among the modules.
        "texts": {code: texts_used(ELEMENT, path) for code, path in texts_of().items() if code != "en"},
    }
    shown = f"{name_of(ELEMENT)}.show({_safe(json.dumps(parts, ensure_ascii=False))});"
    return f'(() => {{\n"use strict";\n{bundle(ELEMENT)}{shown}\n}})();\n'


# Replacement for the files of the page and the server: the frame around the page answers requests and gets each
# address. The page has no guide.
_FRAMED: Final = """<style>.about p:has(a) { display: none; }</style>
<script>
globalThis.fetch = (...asked) => frameElement.ask(...asked);
for (const name of ["pushState", "replaceState"]) {
  const write = history[name].bind(history);
  history[name] = (...given) => {
    write(...given);
    frameElement.tell(location.hash.slice(1));
  };
}
</script>"""


@functools.cache
def framed_page() -> str:
    """Return the page as one text for a frame with `ask`, which replaces `fetch`, and `tell`, called with each link."""
    files = {
        '<link rel="icon" href="icon.svg" type="image/svg+xml">': "",
        '<script src="early.js"></script>': _FRAMED,
        '<link rel="stylesheet" href="page.css">': f"<style>{page_style()}</style>",
        '<script type="module" src="app.js"></script>': f'<script type="module">{_safe(page_script())}</script>',
    }
    page = start_page()
    for line, instead in files.items():
        check_own_answer(page.count(line) == 1, f"the page has no line {line}")
        page = page.replace(line, instead)
    return page


def files_read() -> set[str]:
    """Paths of the files that the element consists of, relative to STATIC."""
    return {"index.html", *modules_of(ELEMENT), *texts_of().values(), *(f"{name}.css" for name in _SHEETS)}


def _safe(code: str) -> str:
    """Escape code for a script inside HTML."""
    return code.replace("</", "<\\/").replace("<!--", "<\\!--")


def to_page(subject: Drawable, options: LookOptions, fps: float | None = None, engine: str | None = None) -> bytes:
    """Return a file of HTML that shows a tour and replays it without a server.

    subject: a Tour of up to 60x60. fps: steps per second at first; None: 3.
    engine: the address of a page (`make page`, or a server), for a link below the tour.
    options: style, theme, numbers (all or none), size and title (the heading).

    The file contains the picture, a player (play, step by step, a slider, the speed) and facts about the tour, and
    loads nothing. Without scripts, and on paper, it shows the picture and the facts.

    Raises FormatError for invalid options, for a larger tour, and for a subject that is not a tour; BoardError for a
    graph.

    >>> tour = Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
    >>> to_page(tour, {"theme": "dark"}).count(b"<knights-tour ")
    1
    """
    tour = _whole(subject)
    look = check_page(tour.board, options)
    if fps is not None and not 0.1 <= real_number(fps, "fps", error=FormatError) <= 3000:
        raise FormatError(f"invalid fps: {fps}", help="use 0.1 to 3000")
    if engine is not None and not engine.startswith(("https://", "http://")):
        raise FormatError(f"{engine!r} is not the address of a page", help="it begins with https://")
    board, *fields = format_tour(tour, "link").strip().split("&")
    title = look.title or _title_of(tour)
    picture = svg_of(figure_of(tour), look.with_options(title=title, size=None))
    given = {"board": board, "tour": next(field[2:] for field in fields if field.startswith("t="))}
    given |= {"look": look.style, "speed": "" if fps is None else f"{fps:g}"}
    given |= {"numbers": "numbers" if look.numbers else "", "engine": engine or ""}
    width = "40rem"
    if look.size is not None:
        width = f"{look.size * min(1, tour.board.cols / tour.board.rows):.0f}px"
    rows = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>\n" for name, value in _facts_of(tour))
    page = _PAGE.substitute(
        title=escape(title),
        scheme="light dark" if look.theme == "auto" else look.theme,
        width=width,
        attributes=" ".join(f'{name}="{escape(value)}"' for name, value in given.items() if value),
        picture=picture,
        facts=rows,
        script=_safe(element_script()),
    )
    return page.encode("utf-8")


def check_page(board: Board, options: LookOptions) -> Look:
    """Return the options of a page with a tour of this board. Raises the errors of `to_page` before the search."""
    check_names(options, PageOptions.__annotations__, "web pages")
    look = look_of(options)
    if not look.row.on_page:
        styles = ", ".join(name for name, row in STYLES.items() if row.on_page)
        raise FormatError(f"a web page has no style {look.style}", help=f"take {styles}, or draw an .svg")
    if look.numbers > 1:
        raise FormatError("a web page shows all numbers or none", help="use numbers without K, or draw an .svg")
    figure_of(board)  # a board that cannot be drawn is refused here
    _check_size(board)
    return look


def _check_size(board: Board) -> None:
    if max(board.rows, board.cols) > MAX_SIDE:
        raise FormatError(
            f"a web page replays tours of up to {MAX_SIDE}x{MAX_SIDE}, not {board.rows}x{board.cols}",
            help="draw it as .svg or .png",
        )


def _whole(subject: Drawable) -> Tour:
    if isinstance(subject, Tour):
        return subject
    if isinstance(subject, TourLike):
        _check_size(subject.board)
        return Tour.from_array(np.asarray(subject.numbers()))
    raise FormatError("a web page requires a tour", help="draw it as .svg or .png")


def _title_of(tour: Tour) -> str:
    return f"{'Closed' if tour.is_closed else 'Open'} tour of the {title_of(tour.board)}"


def _facts_of(tour: Tour) -> list[tuple[str, str]]:
    facts = Report(tour, None).facts()
    symmetry, name = str(facts["symmetry"]), str(facts["symmetry_name"])
    rows = [
        ("Squares", f"{square_count(tour.board):,}"),
        ("Kind", "closed" if tour.is_closed else "open"),
        ("From – to", f"{facts['start']} – {facts['end']}"),
        ("Symmetry", symmetry if name == symmetry else f"{symmetry} ({name})"),
    ]
    return rows + [(key.capitalize(), f"{facts[key]}") for key in ("turns", "crossings", "magic") if key in facts]


_PAGE = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="$scheme">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>$title</title>
<style>
:root { color-scheme: $scheme; background: light-dark(#f8f6f1, #12161c); color: light-dark(#22211e, #e8ebef);
  font: 100%/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
body { margin: 0; padding: 1rem; }
figure { margin: 0 auto; max-width: $width; }
figcaption { text-align: center; margin-bottom: 0.75rem; }
h1 { margin: 0; font: 500 1.35rem/1.3 "Iowan Old Style", Palatino, Georgia, "DejaVu Serif", serif; text-wrap: balance; }
knights-tour { display: block; max-width: none; }
knights-tour > svg { display: block; width: 100%; height: auto; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 0.6rem 1rem; margin: 1.25rem 0 0; }
dt { font-size: 0.8125rem; color: light-dark(#635b4c, #a3afbe); }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
@media print { :root { color-scheme: light; background: none; } body { padding: 0; } figure { max-width: 17cm; } }
</style>
</head>
<body>
<main>
<figure>
<figcaption><h1>$title</h1></figcaption>
<knights-tour $attributes>
$picture
</knights-tour>
<dl>
$facts</dl>
</figure>
</main>
<script>
$script</script>
</body>
</html>
""")
