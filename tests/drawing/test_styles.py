"""The table of styles is true: in each style an option changes the picture, or it is refused."""

import pytest

import knightstour as kt
from knightstour.core.drawing.kinds import PICTURE_KINDS, draw_still
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
    "sums": True,
    "labels": {"a1": "9"},
    "coordinates": True,
    "frame": True,
    "arrows": True,
    "mark_ends": True,
    "closing_move": "dashed",
    "highlight": ["b2"],
    "filled": True,
    "background": "ivory",
    "line": "smooth",
    "line_width": 0.2,
    "size": 333,
    "paper": "a5",
    "margin": "1cm",
    "title": "A title",
}


def drawn(style: str, **options: object) -> list[str]:
    return [kt.draw_svg(tour, style=style, **options) for tour in TOURS]


def asked(style: str, name: str) -> object:
    """What is not so already in that style."""
    row = STYLES[style]
    if name == "line" and row.line == "smooth":
        return "straight"
    if name == "frame":
        return not (row.frame or row.on_paper)
    return not row.frame if name in ("coordinates", "mark_ends") and row.frame else ASKED[name]


def test_every_option_is_tried():
    assert {*ASKED, "landscape"} == set(LOOK_OPTIONS) - {"style"}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ASKED)
def test_an_option_changes_the_picture_or_is_refused(style, name):
    row, value = STYLES[style], asked(style, name)
    if name in row.ignores or (name in PAPER_OPTIONS and not row.on_paper):
        with pytest.raises(kt.FormatError, match=f"the style {style} does not use {name}") as fault:
            drawn(style, **{name: ASKED[name]})
        assert "leave it out" in fault.value.help
    else:
        assert drawn(style, **{name: value}) != drawn(style)


@pytest.mark.parametrize(("style", "name"), [(s, name) for s, row in STYLES.items() for name in row.with_numbers])
def test_rejects_option_that_conflicts_with_numbers(style, name):
    assert drawn(style, **{name: asked(style, name)}) != drawn(style)
    with pytest.raises(kt.FormatError, match=f"does not use {name} where it shows numbers"):
        drawn(style, numbers=True, **{name: ASKED[name]})


@pytest.mark.parametrize("style", STYLES)
def test_empty_options_are_accepted(style):
    nothing = {"labels": {}, "arrows": False, "mark_ends": None, "highlight": [], "filled": False, "background": None}
    assert drawn(style, **nothing) == drawn(style)


@pytest.mark.parametrize(
    "kind", [name for name, row in PICTURE_KINDS.items() if not row.moves and name not in ("html", "tikz", "dxf")]
)
def test_paper_is_for_pdf_and_plotter_styles(kind):
    assert draw_still(kind, TOUR, style="plotter", paper="A5", margin="1cm", landscape=True)
    if kind == "pdf":
        assert draw_still(kind, TOUR, style="curve", paper="A5") != draw_still(kind, TOUR, style="curve", paper="A4")
    else:
        with pytest.raises(kt.FormatError, match="style curve"):
            draw_still(kind, TOUR, style="curve", paper="A5")


def test_colours_have_names():
    for role in ("path", "start"):
        named = kt.draw_svg(TOUR, colors={role: "DarkOrange"})
        assert named == kt.draw_svg(TOUR, colors={role: "#ff8c00"}) and "#ff8c00" in named
    assert kt.draw_svg(TOUR, highlight={"a1": "gold"}) == kt.draw_svg(TOUR, highlight={"a1": "#ffd700"})
    assert kt.draw_svg(TOUR, background="ivory") == kt.draw_svg(TOUR, background="#fffff0")
    assert kt.draw_svg("3x4", colors={"loops": ["red", "#0f0"]}) and colour_of("#0f0") == "#00ff00"


def test_html_page_has_the_styles_that_its_script_draws():
    names = [name for name, row in STYLES.items() if row.on_page]
    assert names == ["board", "line", "curve", "numbers"]
    pages = {name: str(kt.drawing.draw_html(TOUR, style=name)) for name in names}
    assert len(set(pages.values())) == 4
    for style in ("ribbon", "heat", "steps"):
        with pytest.raises(kt.FormatError, match=f"a web page has no style {style}"):
            kt.drawing.draw_html(TOUR, style=style)
