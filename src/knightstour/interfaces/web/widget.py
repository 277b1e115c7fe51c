"""The page in a notebook, which sends its requests to the Python process of the notebook.

It requires anywidget, which is in the extra `widget` (pip install 'knightstour[widget]').
"""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING, Any, Final, cast

from knightstour.core.drawing.look import LookOptions
from knightstour.core.formats.links import board_text, write_link
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError, KnightsTourError, MissingPackage
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import whole_number
from knightstour.interfaces.web.api import ROUTES
from knightstour.interfaces.web.embed import check_page, framed_page
from knightstour.interfaces.web.here import answer
from knightstour.interfaces.web.modules import STATIC, texts_of
from knightstour.interfaces.web.replies import JSON, tables
from knightstour.lab.puzzles.puzzle import Puzzle

if TYPE_CHECKING:
    from anywidget import AnyWidget

_VIEW: Final = "application/vnd.jupyter.widget-view+json"


def widget(shown: Tour | Board | Puzzle | str = "home", *, theme: str = "auto", height: int = 640) -> AnyWidget:
    """Return the page of `knightstour serve` for a notebook: play, puzzles and searches to watch, without a server.

    Args:
        shown: The first view: a Tour; a Board, to play on; a Puzzle, to solve; or the part of a link to the page after
            "#", such as "puzzle" for the puzzles of today.
        theme: "auto" is the theme of the notebook.
        height: In pixels.

    The widget's `link` follows the page, and `parse_tours(widget.link, "link")` reads the tour that is shown. Set it to
    show another view. Cells can be run during a search.

    Raises:
        MissingPackage: Without the extra `widget` (pip install 'knightstour[widget]').
        FormatError: If a puzzle is not of numbers, or larger than 60x60.
        BoardError: If the board is a graph.
    """
    link = shown.removeprefix("#") if isinstance(shown, str) else _link_to(shown)
    look = check_page(Board(8), cast(LookOptions, {"theme": theme}))
    height = whole_number(height, "height", least=200, most=4000, error=FormatError)
    made: AnyWidget = _kind()(link=link, theme=look.theme, height=height)
    return made


def for_notebook(subject: Tour | Puzzle) -> dict[str, Any]:
    """Return the page as a MIME bundle for a tour or a puzzle. The bundle is empty if the page cannot show it."""
    try:
        shown = widget(subject)._repr_mimebundle_()
    except KnightsTourError:
        return {}
    return {} if shown is None else {_VIEW: shown[0][_VIEW]}


def _link_to(subject: Tour | Board | Puzzle) -> str:
    board = subject if isinstance(subject, Board) else subject.board
    check_page(board, {})
    if isinstance(subject, Tour):
        return next(write_link([subject])).strip()
    if isinstance(subject, Board):
        return f"{board_text(board)}&v=play"
    numbers = [
        f"{board.square_name(square)}.{number}" for square, number in subject.given.items() if isinstance(number, int)
    ]
    if not numbers or len(numbers) < len(subject.given):
        raise FormatError("a page shows puzzles of numbers alone", help="draw this one as .svg or .pdf")
    return f"{board_text(board)}&v=puzzle{'&c=1' if subject.closed else ''}&g=given/{','.join(numbers)}"


@functools.cache
def _files() -> dict[str, bytes]:
    """Return the constant files by name; "page" is the page itself."""
    texts = {path: (STATIC / path).read_bytes() for path in texts_of().values()}
    return {"page": framed_page().encode(), **tables(), **texts}


@functools.cache
def _kind() -> Any:
    """Create the class on first use, since anywidget is slow to import."""
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise MissingPackage("anywidget is not installed", extra="widget") from error

    class KnightsTour(anywidget.AnyWidget):
        """The page in a frame."""

        _esm = (STATIC / "element/widget.js").read_text("utf-8")
        link = traitlets.Unicode().tag(sync=True)
        theme = traitlets.Unicode("auto").tag(sync=True)
        height = traitlets.Int(640).tag(sync=True)

        def __init__(self, **given: object) -> None:
            super().__init__(**given)
            self._given_up: set[str] = set()
            self.on_msg(self._on_message)

        def _on_message(self, _: object, request: dict[str, str], __: object) -> None:
            if "name" not in request:
                self._given_up.add(request["id"])
            else:
                try:
                    threading.Thread(target=self._answer, kwargs=request, daemon=True).start()
                except RuntimeError:  # threads are unsupported, as in a notebook that runs in the browser
                    self._answer(**request)

        def _answer(self, id: str, name: str, body: str) -> None:
            def send(kind: str, *values: Any) -> None:
                if id in self._given_up:
                    # Ends only the thread.
                    raise SystemExit
                if kind == "head":
                    self.send({"id": id, "kind": kind, "status": values[0], "type": values[1]})
                elif kind in ("part", "end"):
                    self.send({"id": id, "kind": kind}, list(values))

            file = None if name in ROUTES else _files().get(name)
            if file is None:
                answer(name, body.encode(), send, is_browser=False)
                return
            send("head", 200, "text/html" if name == "page" else JSON)
            send("part", file)
            send("end")

    return KnightsTour
