"""Fixtures: a server on a free port, and Chromium. Without Chromium the tests are skipped; see CONTRIBUTING.md."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import make_guide
from knightstour import Board, Tour
from tests.hosting import ASK_THE_HOST_FIRST, MADE, SUBFOLDER, Host, folder, host

__all__ = ["Host", "folder", "host"]

HERE = Path(__file__).parent
AXE = HERE.parent / "node_modules/axe-core/axe.min.js"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
# KNIGHTSTOUR_PAGE=build/page: the tests look at the page as that folder of files, whose library runs in the browser.
IS_FOLDER = bool(MADE)
SLOWEST_MS = 180_000 if IS_FOLDER else 60_000
# Tests of features that need a server, by parts of their names.
OF_SERVERS = {
    "pdf": "fpdf2 needs Pillow, which is not among the page's packages",
    "server": "it is about the server",
    "knights_tour_js": "it is about the server",
    "number_of_all_tours_of_8x8": "all tours of 8x8 do not fit in a browser",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder: they need a browser, and are repeated once on failure."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")
            item.add_marker(pytest.mark.flaky(reruns=1))
            reasons = [reason for part, reason in OF_SERVERS.items() if IS_FOLDER and part in item.name.lower()]
            if reasons:
                item.add_marker(pytest.mark.skip(reason=reasons[0]))


@pytest.fixture(scope="package")
def server(tmp_path_factory, request) -> Iterator[str]:
    """Return the address of `knightstour serve` with its own cache, or of the page as a folder of files."""
    if IS_FOLDER:
        yield request.getfixturevalue("host").address
        return
    make_guide.write()
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}
    command = [sys.executable, "-m", "knightstour", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield next(word for word in line.split() if word.startswith("http"))
        finally:
            process.terminate()


@pytest.fixture(scope="package")
def browser(tmp_path_factory) -> Iterator[Any]:
    """Start the system's Chromium."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("Chromium is not installed (see CONTRIBUTING.md)")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (see CONTRIBUTING.md)")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def expect() -> Any:
    """Return Playwright's waiting assertions, with a longer timeout."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (see CONTRIBUTING.md)")
    api.expect.set_options(timeout=SLOWEST_MS)
    return api.expect


class Look:
    """A page, and its faults: errors of scripts, refused content, requests to other hosts."""

    def __init__(self, server: str, context: Any) -> None:
        self.server, self.context = server, context
        # Address of the page's separate modules, which tests call.
        self.modules = "/modules" if server.endswith(f"/{SUBFOLDER}/") else ""
        self.page = context.new_page()
        self.page.set_default_timeout(SLOWEST_MS)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(f"script: {error}"))
        self.page.on("console", self._on_console)
        self.page.on("request", self._on_request)
        self.page.goto(server)
        self.page.locator("html[data-ready]").wait_for(state="attached")

    def _on_console(self, message: Any) -> None:
        # The browser also writes errors of the API to the console.
        if message.type in ("error", "warning") and "/api/" not in message.location.get("url", ""):
            self.wrong.append(f"console: {message.text}")

    def _on_request(self, request: Any) -> None:
        parts = urlsplit(request.url)
        is_ours = request.url.startswith(self.server) or (self.modules and parts.path.startswith(f"{self.modules}/"))
        if parts.scheme not in ("blob", "data") and not is_ours:
            self.wrong.append(f"it asks {request.url}")

    def show(self, address: str) -> Any:
        """Set the part of the address after '#', as a link does; return the page."""
        if not self.page.evaluate(
            "address => { const before = location.hash; location.hash = address; return location.hash !== before; }",
            address,
        ):
            # The same link again changes nothing.
            self.page.reload()
            self.page.locator("html[data-ready]").wait_for(state="attached")
        return self.page

    def open(self, drawer: str) -> Any:
        """Open a drawer such as "setup" if it is closed; return the page."""
        button = self.page.locator(f"[aria-controls={drawer}]")
        if button.get_attribute("aria-expanded") == "false":
            button.click()
        return self.page

    def choose(self, view: str) -> Any:
        """Open a view as a user does: by its place, and by its problem in Explore."""
        part = self.page.locator("body").get_attribute("data-part")
        question, name = QUESTIONS.get(view, ("", ""))
        is_there = part in QUESTIONS or part == "find"
        if view == "find" and part in QUESTIONS:
            self.page.locator(f"[aria-controls={QUESTIONS[part][0]}]").click()
        elif not (question and is_there):
            self.page.locator(f".view-button[data-view={'explore' if question or view == 'find' else view}]").click()
        if question:
            self.open(question)
        if name:
            self.page.get_by_role("radio", name=name, exact=True).check()
        return self.page

    def saving(self) -> Any:
        """Open the part of the drawer "look" that saves and shares."""
        self.open("look").locator("#save").evaluate("save => { save.open = true; }")
        return self.page.locator("#save")

    def facts(self) -> Any:
        return self.page.locator("#facts")

    def module(self, name: str, script: str, argument: Any = None) -> Any:
        """Return the result of `script`: (module, argument) => value."""
        address = f"{self.modules}/{name}.js"
        return self.page.evaluate(f"async ([argument]) => ({script})(await import('{address}'), argument)", [argument])

    @property
    def address(self) -> str:
        """Return the part of the address after '#'."""
        # The page writes it a moment after the last change.
        self.page.locator("html:not([data-unwritten])").wait_for(state="attached")
        return urlsplit(self.page.url).fragment

    def state(self) -> dict[str, Any]:
        """Parse the address by the page's own module."""
        known = {"views": VIEWS, "styles": STYLES}
        return self.module(
            "model/link", "(link, [text, known]) => link.decodeState(text, known)", [self.address, known]
        )

    def tour(self) -> list[int]:
        """Return the square numbers of the tour in the address."""
        return self.state()["tour"]

    def another(self, expect: Any) -> None:
        """Press "Another tour" and wait for it."""
        how = self.page.locator("#question-how .how")
        before = how.text_content()
        self.page.get_by_role("button", name="Another tour").click()
        expect(how).not_to_have_text(before)
        expect(self.page.get_by_role("button", name="Another tour")).to_be_enabled()

    def coded(self, board: Board, order: Sequence[int]) -> str:
        """Encode a path as in the page's links."""
        script = "(link, [board, order]) => link.encodePath(board, order)"
        return self.module("model/link", script, [page_board(board), list(map(int, order))])

    def decoded(self, board: Board, text: str) -> list[int]:
        """Decode a path from a link."""
        return self.module(
            "model/link", "(link, [board, text]) => link.decodePath(board, text)", [page_board(board), text]
        )

    def linked(self, tour: Tour) -> str:
        """Return the fields of a link to a tour of a plain rectangle."""
        text = self.coded(tour.board, tour.order.tolist())
        return f"{tour.board.rows}x{tour.board.cols}&c={int(tour.is_closed)}&t={text}"


def undecided(route: Any) -> None:
    """Answer a request for a tour as an undecided search."""
    asked = route.request.post_data_json
    answer = {"status": "undecided", "closed": asked["closed"], "rows": 5, "cols": 6, "squares": None, "source": None}
    told = {"method": asked["method"], "reason": "the time limit", "seed": 1, "nodes": 5, "seconds": 10.0}
    route.fulfill(json={**answer, **told})


def page_board(board: Board) -> dict[str, Any]:
    """Return a board in the form of the page's modules."""
    holes = sorted(row * board.cols + col for row, col in board.holes)
    leaps = [list(leap) for leap in board.piece.leaps]
    return {"rows": board.rows, "cols": board.cols, "holes": holes, "wrap": board.wrap, "leaps": leaps}


VIEWS = ["find", "watch", "play", "all", "count", "check", "puzzle"]
STYLES = ["board", "curve", "ribbon"]

# The views of Explore that are parts of a question: the question, and the name of the part among several.
QUESTIONS = {
    "watch": ("question-how", ""),
    "count": ("question-many", "In figures"),
    "all": ("question-many", "By number"),
}

Opener = Callable[..., Look]


def _opening(server: str, browser: Any) -> Iterator[Opener]:
    contexts = []

    def opened(width: int = 1280, height: int = 850, **options: Any) -> Look:
        # Tests do not wait for motion unless they ask for it.
        options = {"reduced_motion": "reduce", **options}
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        if IS_FOLDER:
            context.add_init_script(ASK_THE_HOST_FIRST)
        return Look(server, context)

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def opener(server, browser) -> Iterator[Opener]:
    """Yield a function that opens pages: opener(width=360, height=740, color_scheme="dark", ...).

    Each page needs up to 300 MB with the library. All are closed after the test.
    """
    yield from _opening(server, browser)


@pytest.fixture(scope="module")
def module_opener(server, browser) -> Iterator[Opener]:
    """As `opener`, for pages that a module shares."""
    yield from _opening(server, browser)


@pytest.fixture(scope="module")
def shared(module_opener) -> Look:
    """Open one page for the tests of a module."""
    return module_opener(accept_downloads=True, permissions=["clipboard-read", "clipboard-write"])


@pytest.fixture
def look(shared) -> Iterator[Look]:
    """Yield the module's page; its faults fail the test."""
    shared.wrong.clear()
    yield shared
    assert shared.wrong == []
