"""Tests of the table of styles: in each style an option changes the picture, or is rejected."""

import pytest

import knightstour as kt
from knightstour.core.drawing.styles import LOOK_OPTIONS, PAPER_OPTIONS, STYLES
from knightstour.core.drawing.themes import colour_of

# Ends are marked in the open one, and a closing move is in the closed one.
TOURS = [kt.find_tour((6, 6), closed=closed, start="a1", seed=1) for closed in (True, False)]
TOUR = TOURS[0]
# Something that each option may ask for.
ASKED: dict[str, object] = {
    "theme": "dark",
    "colors": {"path": "teal", "start": "teal", "light": "teal", "text": "teal", "ribbon": "teal"},
    "numbers": 5,
    "labels": {"a1": "9"},
    "coordinates": True,
    "arrows": True,
    "highlight": ["b2"],
    "line_width": 0.2,
    "size": 333,
    "paper": "a5",
    "title": "A title",
}


def drawn(style: str, **options: object) -> list[str]:
    return [str(kt.draw(tour, style=style, **options)) for tour in TOURS]


def asked(style: str, name: str) -> object:
    """Return a value that differs from the default of the style."""
    return False if name == "coordinates" and STYLES[style].frame else ASKED[name]


def test_every_option_is_tried():
    assert set(ASKED) == set(LOOK_OPTIONS) - {"style"}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ASKED)
def test_an_option_changes_the_picture_or_is_refused(style, name):
    row, value = STYLES[style], asked(style, name)
    if name in row.ignores or (name in PAPER_OPTIONS and not row.on_paper):
        with pytest.raises(kt.FormatError, match=f"the style {style} does not use {name}") as fault:
            drawn(style, **{name: ASKED[name]})
        assert "omit it" in fault.value.help
    else:
        assert drawn(style, **{name: value}) != drawn(style)


@pytest.mark.parametrize(("style", "name"), [(s, name) for s, row in STYLES.items() for name in row.with_numbers])
def test_rejects_option_that_conflicts_with_numbers(style, name):
    assert drawn(style, **{name: asked(style, name)}) != drawn(style)
    with pytest.raises(kt.FormatError, match=f"does not use {name} if numbers are shown"):
        drawn(style, numbers=True, **{name: ASKED[name]})


@pytest.mark.parametrize("style", STYLES)
def test_empty_options_are_accepted(style):
    nothing = {"labels": {}, "arrows": False, "highlight": [], "colors": None}
    assert drawn(style, **nothing) == drawn(style)


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_paper_is_for_pdf_and_plotter_styles(kind):
    assert kt.draw(TOUR, kind, style="plotter", paper="A5 landscape").data
    if kind == "pdf":
        assert kt.draw(TOUR, kind, style="curve", paper="A5") != kt.draw(TOUR, kind, style="curve", paper="A4")
    else:
        with pytest.raises(kt.FormatError, match="style curve"):
            kt.draw(TOUR, kind, style="curve", paper="A5")


def test_only_open_tours_have_marked_ends():
    for style in ("board", "line", "curve", "steps", "filled"):
        circles = [str(kt.draw(tour, style=style)).count("<circle") for tour in TOURS]
        assert circles == [0, 2], style


def test_colours_have_names():
    for role in ("path", "start"):
        named = str(kt.draw(TOURS[1], colors={role: "DarkOrange"}))
        assert named == str(kt.draw(TOURS[1], colors={role: "#ff8c00"})) and "#ff8c00" in named
    assert str(kt.draw(TOUR, highlight={"a1": "gold"})) == str(kt.draw(TOUR, highlight={"a1": "#ffd700"}))
    assert kt.draw(TOUR, colors={"background": "ivory"}) == kt.draw(TOUR, colors={"background": "#fffff0"})
    assert str(kt.draw("3x4", colors={"loops": ["red", "#0f0"]})) and colour_of("#0f0") == "#00ff00"


def test_html_page_has_the_styles_that_its_script_draws():
    names = [name for name, row in STYLES.items() if row.on_page]
    assert names == ["board", "line", "curve", "numbers", "ribbon"]
    assert len({str(kt.draw(TOUR, "html", style=name)) for name in names}) == 5
    for style in ("mosaic", "heat", "steps"):
        with pytest.raises(kt.FormatError, match=f"a web page has no style {style}"):
            str(kt.draw(TOUR, "html", style=style))
