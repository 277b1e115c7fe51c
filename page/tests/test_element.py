"""Tests of tours outside the page: the HTML file and the widget in a browser."""

import base64
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import knightstour as kt
from knightstour.interfaces.web.embed import to_page
from tests.conftest import AXE, SLOWEST_MS

PLAYER = ["To the beginning", "One step back", "Play", "One step on", "To the end"]


@pytest.fixture(scope="module")
def tour() -> kt.Tour:
    return kt.find_tour((5, 6), closed=True, seed=1)


Shower = Callable[..., Any]


@pytest.fixture
def show(browser, tmp_path) -> Iterator[Shower]:
    """Open an HTML file without a network; faults fail the test."""
    wrong: list[str] = []
    contexts = []

    def opened(html: str, width: int = 800, height: int = 900, address: str = "", **options: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height}, **{"reduced_motion": "reduce", **options}
        )
        context.set_offline(not address)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(SLOWEST_MS)
        page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        (tmp_path / "tour.html").write_text(html, encoding="utf-8")
        url = address or (tmp_path / "tour.html").as_uri()
        if address:
            page.route(address, lambda route: route.fulfill(body=html, content_type="text/html"))
        is_elsewhere = lambda request: request.url.startswith("http") and request.url != address  # noqa: E731
        page.on("request", lambda request: wrong.append(request.url) if is_elsewhere(request) else None)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


def points(page: Any) -> int:
    """Return the squares on the visible line."""
    return page.locator("knights-tour .trail").get_attribute("d").count("L") + 1


@pytest.mark.parametrize(("language", "button"), [("de-AT", "Abspielen"), ("fr", "Lecture"), ("it", "Play")])
def test_the_element_speaks_the_language_of_the_page_around(show, expect, tour, language, button):
    page = show(str(kt.draw(tour, "html")).replace('lang="en"', f'lang="{language}"', 1))
    expect(page.get_by_role("button", name=button, exact=True)).to_be_visible()


def test_file_shows_the_tour_and_replays_it(show, expect, tour):
    page = show(str(kt.draw(tour, "html")))
    expect(page.locator("h1")).to_have_text("Closed tour of the 5x6 board")
    count = page.locator("knights-tour .count")
    expect(count).to_have_text("30 / 30")
    assert points(page) == 31, "the closing move is there"
    press = {name: page.get_by_role("button", name=name) for name in PLAYER}
    press["To the beginning"].click()
    expect(count).to_have_text("0 / 30")
    expect(page.locator("knights-tour .knight")).to_have_count(1)
    press["One step on"].click()
    press["One step on"].click()
    expect(count).to_have_text("2 / 30")
    assert points(page) == 3
    first = [(40 * (c + 0.5), 40 * (r + 0.5)) for r, c in tour.squares.tolist()[:3]]
    assert page.locator("knights-tour .trail").get_attribute("d") == "M" + "L".join(f"{x:g} {y:g}" for x, y in first)
    press["One step back"].click()
    expect(count).to_have_text("1 / 30")
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    slider.press("End")
    expect(count).to_have_text("30 / 30")
    page.get_by_role("combobox", name="Speed").select_option("100")
    press["Play"].click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(press["Play"]).to_be_visible()
    expect(count).to_have_text("30 / 30")


def test_a_file_shows_every_kind_of_board(show):
    tour = kt.find_tour("5x5:0,1+1,2:cylinder:-c3", seed=1)
    page = show(str(kt.draw(tour, "html", style="numbers")))
    assert page.locator("knights-tour .number").all_text_contents() == [str(n + 1) for n in range(len(tour))]
    assert page.locator("knights-tour .squares-hole").count() == 1


def test_a_file_is_for_readers_of_every_kind(show, expect, tour):
    page = show(str(kt.draw(tour, "html")), width=320, height=700, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it is no wider than the screen"
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgb(18, 22, 28)"
    if AXE.exists():
        page.add_script_tag(path=AXE)
        found = page.evaluate("axe.run()")["violations"]
        assert not found, json.dumps(found, indent=1)[:3000]
    light = show(str(kt.draw(tour, "html", theme="light")), color_scheme="dark")
    assert light.evaluate(ground) == "rgb(248, 246, 241)"
    paper = show(str(kt.draw(tour, "html")), java_script_enabled=False)
    expect(paper.locator("knights-tour > svg")).to_be_visible()
    expect(paper.locator("dl")).to_contain_text("Crossings")


def test_link_needs_the_address_of_a_page(show, expect, opener, server, tour):
    plain = show(str(kt.draw(tour, "html")))
    expect(plain.locator("knights-tour .count")).to_be_visible()
    expect(plain.get_by_role("link")).to_have_count(0)
    page = show(to_page(tour, {}, engine=f"{server}?lang=fr#puzzle").decode())
    link = page.get_by_role("link", name="Open it on the page")
    address, _, fragment = link.get_attribute("href").partition("#")
    assert address == f"{server}?lang=fr"
    assert kt.parse_tours(fragment, "link") == [tour]
    look = opener()
    look.show(fragment)
    expect(look.page.locator("#answer .verdict")).to_have_text("Closed tour of the 5×6 board")
    assert look.tour() == tour.order.tolist() and look.wrong == []


NOTEBOOK = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A notebook</title>
<body data-jp-theme-light="false"><div id="cell"></div>
<script type="module">
const heard = {}, model = {
  get: (name) => values[name],
  set: (name, value) => { values[name] = value; },
  save_changes: () => keep({ link: values.link }),
  on: (event, call) => { heard[event] = call; },
  off: (event) => { delete heard[event]; },
  async send(asked) {
    const view = (part) => new DataView(Uint8Array.from(atob(part), (c) => c.charCodeAt()).buffer);
    for (const [message, parts] of await inPython(asked)) heard["msg:custom"](message, parts.map(view));
  },
};
window.change = (name, value) => { values[name] = value; heard[`change:${name}`](); };
window.begin = async (given, module) => {
  window.values = given;
  const source = new Blob([module], { type: "text/javascript" });
  const { default: widget } = await import(URL.createObjectURL(source));
  window.end = await widget.render({ model, el: document.getElementById("cell") });
};
</script></html>"""


@pytest.fixture
def notebook(show, monkeypatch) -> Callable[..., Any]:
    """Show a widget as a notebook does; return its frame and the notebook's page."""
    pytest.importorskip("anywidget")

    def shown(*given: Any, **options: Any) -> tuple[Any, Any, Any]:
        widget = kt.notebook.widget(*given, **options)
        sent: list[Any] = []
        coded = lambda parts: [base64.b64encode(part).decode() for part in parts or []]  # noqa: E731
        monkeypatch.setattr(widget, "send", lambda message, parts=None: sent.append((message, coded(parts))))

        def answered(asked: dict[str, str]) -> list[Any]:
            sent.clear()
            widget._handle_custom_msg(asked, [])
            # It is answered in a separate thread; cancelled requests have no response.
            while "name" in asked and not any(message["kind"] == "end" for message, _ in sent):
                time.sleep(0.01)
            return list(sent)

        page = show(NOTEBOOK, address="http://localhost/notebook")
        page.expose_function("inPython", answered)
        page.expose_function("keep", widget.set_state)
        values = {name: widget.get_state()[name] for name in ("link", "theme", "height")}
        page.evaluate("([values, module]) => begin(values, module)", [values, widget._esm])
        return page.frame_locator("#cell iframe"), page, widget

    return shown


def test_notebook_shows_the_page_answered_by_its_python(notebook, expect, tour):
    frame, page, widget = notebook(tour)
    verdict = frame.locator("#answer .verdict")
    expect(verdict).to_have_text("Closed tour of the 5×6 board")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    assert kt.parse_tours(widget.link, "link") == [tour]
    # A question that Python answers, and one that it answers in parts, as they come.
    page.evaluate("change('link', '4x8&c=1')")
    expect(verdict).to_have_text("There is no closed tour of the 4×8 board")
    page.evaluate("change('link', '5&v=watch&m=backtracking')")
    expect(frame.locator(".transport .count")).to_contain_text("/")
    page.evaluate("end()")
    expect(page.locator("#cell iframe")).to_have_count(0)


def test_python_receives_each_move_of_a_notebook_game(notebook, expect):
    frame, page, widget = notebook(kt.Board(5))
    for square in ("a1", "b3", "c5"):
        frame.locator("body").press("Escape")
        box = frame.locator(f'[data-board] [data-square="{square}"]').bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(frame.locator("#answer .verdict")).to_contain_text("3 of 25 squares")
    page.wait_for_function("() => /&p=3[.]/.test(values.link)")
    assert widget.link.startswith("5&v=play")
