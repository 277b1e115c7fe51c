"""Tests of tours outside the page: the HTML file, the script of the element, and the widget.

page/tests/test_element.py tests them in a browser.
"""

import importlib.util
import re
import sys
from types import SimpleNamespace

import pytest

import knightstour as kt
from helpers.both_ways import both_ways
from knightstour.interfaces.web.embed import element_script, to_page

HAS_WIDGET = importlib.util.find_spec("anywidget") is not None


@pytest.fixture(scope="module")
def tour() -> kt.Tour:
    return kt.find_tour((5, 6), closed=True, seed=1)


def shown(page: str) -> kt.Tour:
    """Return the tour in the element of a page."""
    board, text = (re.search(rf'<knights-tour [^>]*\b{name}="([^"]*)"', page)[1] for name in ("board", "tour"))
    (read,) = kt.parse_tours(f"{board}&t={text}", "link")
    return read


@pytest.mark.parametrize(
    "board",
    [
        kt.Board(5, 6),
        kt.Board(3, 10),
        kt.Board(4, 4, wrap="torus"),
        kt.Board(5, 5, holes=["c3"], wrap="cylinder"),
        kt.Board(10, 10, leaper=(2, 3)),
    ],
    ids=str,
)
def test_page_contains_the_tour_and_loads_nothing_external(board):
    tour = kt.find_tour(board, seed=1)
    page = str(kt.draw(tour, "html"))
    assert shown(page) == tour and shown(page).board == board
    # Names of XML are no addresses that anybody loads.
    addresses = set(re.findall(r'https?://[^\s"\'<>\\]+', page))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r'\b(?:src|href)="(?!data:|#)', page)
    assert "default-src 'none'" in page and page.count("<script") == page.count("</script>") == 1


def test_a_page_has_caption_and_facts_in_its_markup(tour):
    page = str(
        kt.draw(tour, "html", title="A <tour> & more", theme="dark", numbers=True, style="curve", fps=10, size=300)
    )
    before = page.split("<script>")[0]
    assert before.count("A &lt;tour&gt; &amp; more") >= 2
    for name, value in {"Squares": "30", "Kind": "closed", "Turns": tour.turns, "Crossings": tour.crossings}.items():
        assert f"<dt>{name}</dt><dd>{value}</dd>" in before
    assert f"<dd>{tour.board.square_name(tour.start)} – {tour.board.square_name(tour.end)}</dd>" in before
    for attribute in ('look="curve"', 'speed="10"', 'numbers="numbers"'):
        assert attribute in before
    assert '<meta name="color-scheme" content="dark">' in before and "max-width: 300px" in before
    assert "<svg" in before, "without scripts the picture is there"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"arrows": True}, "no option 'arrows'"),
        ({"style": "oil"}, "style"),
        ({"numbers": 5}, "all numbers or none"),
        ({"fps": 0}, "invalid fps"),
        ({"size": 0}, "size"),
        ({"theme": "pink"}, "theme"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(tour, options, words):
    with pytest.raises(kt.FormatError, match=words):
        str(kt.draw(tour, "html", **options))


def test_only_tours_that_the_page_can_show_become_a_page():
    with pytest.raises(kt.FormatError, match="requires a tour"):
        str(kt.draw("8x8", "html"))
    with pytest.raises(kt.FormatError, match="up to 60x60, not 61x61"):
        str(kt.draw(kt.constructions.implicit_tour((61, 61)), "html"))
    assert shown(str(kt.draw(kt.constructions.implicit_tour((6, 6), closed=True), "html"))).is_closed
    with pytest.raises(kt.BoardError, match="graph"):
        str(kt.draw(kt.find_tour(kt.Board.from_graph(both_ways([[1], [2], [0]]))), "html"))


def test_page_is_saved_whole_without_overwriting(tour, tmp_path):
    page = kt.draw(tour, "html")
    page.save(tmp_path / "tour.html")
    assert (tmp_path / "tour.html").read_text("utf-8") == str(page)


def test_a_page_may_have_a_link_to_a_server(tour):
    assert b' engine="https://example.org/"' in to_page(tour, {}, engine="https://example.org/")
    with pytest.raises(kt.FormatError, match="not the address of a page"):
        to_page(tour, {}, engine="javascript:alert(1)")


def test_the_command_line_writes_pages_by_the_suffix(run, tmp_path):
    target = tmp_path / "tour.html"
    assert run("solve", "6x6", "--closed", "--seed", "1", "-o", str(target))[0] == 0
    tour = shown(target.read_text("utf-8"))
    assert tour.board == kt.Board(6, 6) and tour.is_closed
    kt.write_tours(tmp_path / "tour.txt", tour)
    assert run("draw", str(tmp_path / "tour.txt"), "-o", str(tmp_path / "b.HTML"), "--style", "curve")[0] == 0
    assert 'look="curve"' in (tmp_path / "b.HTML").read_text("utf-8")
    assert run("draw", str(tmp_path / "tour.txt"), "--format", "html")[1].startswith("<!doctype html>")


def test_script_is_one_file_without_requests():
    script = element_script()
    assert not re.search(r"^\s*(import|export)\b", script, re.MULTILINE)
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket", script)


@pytest.mark.skipif(not HAS_WIDGET, reason="anywidget is not installed")
@pytest.mark.long
def test_widget_contains_a_link_to_its_view(tour, monkeypatch):
    draw = kt.notebook.widget
    widget = draw(tour, theme="dark", height=500)
    assert kt.parse_tours(widget.link, "link") == [tour]
    assert {name: widget.get_state()[name] for name in ("theme", "height")} == {"theme": "dark", "height": 500}
    assert [
        draw(subject).link for subject in ("#puzzle", kt.Board("5x6:torus"), kt.Puzzle("3x4", {"a3": 1, "c2": 2}))
    ] == ["puzzle", "5x6:torus&v=play", "3x4&v=puzzle&g=given/a3.1,c2.2"]
    for subject, options, words in (
        (tour, {"theme": "pink"}, "theme"),
        (tour, {"height": 0}, "height"),
        (kt.Puzzle("3x4", {"a3": 1, "c2": (2, 4)}), {}, "of numbers"),
        (kt.Board(61), {}, "up to 60x60"),
    ):
        with pytest.raises(kt.FormatError, match=words):
            draw(subject, **options)
    # A question that was given up ends before its first word.
    widget._on_message(None, {"id": "a"}, None)
    with pytest.raises(SystemExit):
        widget._answer("a", "solve", '{"board": "5x5"}')
    # In a notebook a tour shows itself as the page, a large one and one elsewhere as a picture alone.
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(kernel=None))
    assert list(tour._repr_mimebundle_()) == ["application/vnd.jupyter.widget-view+json"]
    assert kt.find_tour((61, 62))._repr_mimebundle_() == {}
    # In a terminal IPython has no kernel.
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace())
    assert tour._repr_mimebundle_() == {}


def test_missing_anywidget_error_names_the_package(tour, monkeypatch):
    from knightstour.interfaces.web import widget

    monkeypatch.setitem(sys.modules, "anywidget", None)
    widget._kind.cache_clear()
    with pytest.raises(ImportError, match="not installed") as caught:
        kt.notebook.widget(tour)
    assert "knightstour[widget]" in caught.value.help
