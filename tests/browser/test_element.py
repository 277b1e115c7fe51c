"""Tours outside the page, looked at in a browser: the file of HTML, the element on a page of one's own, the widget."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import knightstour as kt
from browser.conftest import AXE, SLOWEST_MS
from knightstour.interfaces.web.embed import attributes_of, element_script, widget_module

PLAYER = ["To the beginning", "One step back", "Play", "One step on", "To the end"]


@pytest.fixture(scope="module")
def tour() -> kt.Tour:
    return kt.find_tour((5, 6), closed=True, rng=1)


Shower = Callable[..., Any]


@pytest.fixture
def show(browser, tmp_path) -> Iterator[Shower]:
    """Opens a file of HTML as somebody does who got it: by a double click, without a network. Nothing may go wrong."""
    wrong: list[str] = []
    contexts = []

    def opened(html: str, width: int = 800, height: int = 900, **options: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height}, **{"reduced_motion": "reduce", **options}
        )
        context.set_offline(True)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(SLOWEST_MS)
        page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        (tmp_path / "tour.html").write_text(html, encoding="utf-8")
        url = (tmp_path / "tour.html").as_uri()
        page.on("request", lambda request: wrong.append(request.url) if request.url.startswith("http") else None)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


def points(page: Any) -> int:
    """Squares on the line that is seen."""
    return page.locator("knights-tour .trail").get_attribute("d").count("L") + 1


@pytest.mark.parametrize(
    ("language", "name", "button"),
    [
        ("de-AT", "Geschlossene Tour auf dem 5×6-Brett", "Abspielen"),
        ("fr", "Parcours fermé de l’échiquier 5×6", "Lecture"),
        ("it", "Closed tour of the 5×6 board", "Play"),
    ],
)
def test_the_element_speaks_the_language_of_the_page_around(show, expect, tour, language, name, button):
    page = show(kt.drawing.draw_html(tour).replace('lang="en"', f'lang="{language}"', 1))
    expect(page.get_by_role("group", name=name)).to_be_visible()
    expect(page.get_by_role("button", name=button, exact=True)).to_be_visible()


def test_a_file_shows_the_tour_and_replays_it_step_by_step(show, expect, tour):
    page = show(kt.drawing.draw_html(tour))
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


@pytest.mark.parametrize(
    "board",
    [kt.Board(4, 4, wrap="torus"), kt.Board(5, 5, holes=["c3"], wrap="cylinder"), kt.Board(10, 10, leaper=(2, 3))],
    ids=str,
)
def test_a_file_shows_every_kind_of_board(show, board):
    tour = kt.find_tour(board, rng=1)
    page = show(kt.drawing.draw_html(tour, style="numbers"))
    assert page.locator("knights-tour .number").all_text_contents() == [str(n + 1) for n in range(len(tour))]
    assert page.locator("knights-tour .squares-hole").count() == (1 if board.holes else 0) or not board.holes


def test_a_file_is_for_readers_of_every_kind(show, expect, tour):
    page = show(kt.drawing.draw_html(tour), width=320, height=700, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it is no wider than the screen"
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgb(18, 22, 28)"
    if AXE.exists():
        page.add_script_tag(path=AXE)
        found = page.evaluate("axe.run()")["violations"]
        assert not found, json.dumps(found, indent=1)[:3000]
    light = show(kt.drawing.draw_html(tour, theme="light"), color_scheme="dark")
    assert light.evaluate(ground) == "rgb(248, 246, 241)"
    paper = show(kt.drawing.draw_html(tour), java_script_enabled=False)
    expect(paper.locator("knights-tour > svg")).to_be_visible()
    expect(paper.locator("dl")).to_contain_text("Crossings")


def test_a_link_leads_to_the_page_that_is_named_and_there_is_none_without(show, expect, opener, server, tour):
    plain = show(kt.drawing.draw_html(tour))
    expect(plain.locator("knights-tour .count")).to_be_visible()
    expect(plain.get_by_role("link")).to_have_count(0)
    page = show(kt.drawing.draw_html(tour, engine=f"{server}?lang=fr#puzzle"))
    link = page.get_by_role("link", name="Open it on the page")
    address, _, fragment = link.get_attribute("href").partition("#")
    assert address == f"{server}?lang=fr"
    assert kt.parse_tours(fragment, "link") == [tour]
    look = opener()
    look.show(fragment)
    expect(look.page.locator("#answer .verdict")).to_have_text("Closed tour of the 5×6 board")
    assert look.tour() == tour.order.tolist() and look.wrong == []


OWN = """<!doctype html><html lang="en"><meta charset="utf-8"><title>My page</title>
<style>button {{ background: red; }} .trail {{ stroke: red; }}</style>
{elements}<script src="knights-tour.js"></script></html>"""


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ('board="nonsense" tour="A"', "is not a board"),
        ('board="5x6" tour="%%"', "cannot be read"),
        ('board="5x6"', "This tour cannot be shown"),
        ('board="3x4" tour="A" engine="javascript:alert(1)"', "is not the address of a page"),
    ],
)
def test_an_element_that_makes_no_sense_says_why(show, expect, tmp_path, attributes, words):
    (tmp_path / "knights-tour.js").write_text(element_script(), encoding="utf-8")
    page = show(OWN.format(elements=f"<knights-tour {attributes}></knights-tour>"))
    expect(page.locator("knights-tour .notice")).to_contain_text(words)


NOTEBOOK = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A notebook</title>
<body data-jp-theme-light="false"><div id="cell"></div>
<script type="module">
const source = new Blob([{module}], {{ type: "text/javascript" }});
const {{ default: widget }} = await import(URL.createObjectURL(source));
const values = {values}, heard = {{}}, model = {{
  get: (name) => values[name],
  set(name, value) {{ values[name] = value; }},
  save_changes() {{ window.saved = {{ ...values }}; }},
  on(event, call) {{ heard[event] = call; }},
  off() {{}},
}};
window.change = (name, value) => {{ values[name] = value; heard[`change:${{name}}`](); }};
window.end = widget.render({{ model, el: document.getElementById("cell") }});
</script></html>"""


def test_a_notebook_shows_the_widget_and_hears_of_its_steps(show, expect, tour):
    values = {**attributes_of(tour), "look": "board", "theme": "auto", "numbers": False, "speed": 3, "step": 5}
    module = json.dumps(widget_module()).replace("</", "<\\/")
    page = show(NOTEBOOK.format(module=module, values=json.dumps(values)))
    element = page.locator("#cell knights-tour")
    expect(element.locator(".count")).to_have_text("5 / 30")
    expect(element).to_have_attribute("theme", "dark")
    page.get_by_role("button", name="One step on").click()
    page.wait_for_function("() => window.saved?.step === 6")
    page.evaluate("change('step', 11)")
    expect(element.locator(".count")).to_have_text("11 / 30")
    page.evaluate("change('numbers', true)")
    expect(element.locator(".number").first).to_be_visible()
    page.evaluate("end()")
    expect(element).to_have_count(0)
