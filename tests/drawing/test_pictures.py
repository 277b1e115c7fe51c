"""Tests of SVG pictures: they show the tour on any board, and describe it for screen readers."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knightstour as kt
from helpers import drawn, pictures
from helpers.examples import examples
from helpers.strategies import tours
from knightstour.core.drawing.styles import STYLES
from knightstour.core.drawing.svg.strokes import UNIT
from knightstour.core.drawing.text import text_of
from knightstour.core.drawing.themes import THEMES, contrast, ink_on, ramp
from knightstour.core.model.board import title_of


def named(board: kt.typing.BoardLike, names: str) -> kt.Tour:
    return kt.parse_tours(names, "algebraic", board)[0]


# Fixed tours, so that golden files change with the drawing only.
SMALL = named((3, 4), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
SIX = named(
    (6, 6),
    "d1 f2 e4 f6 d5 b6 a4 b2 c4 d6 f5 d4 f3 e5 c6 a5 b3 a1 c2 e1 d3 b4 a6 c5 e6 f4 e2 c1 a2 c3 b5 a3 b1 d2 f1 e3",
)
HOLED = named(
    kt.Board.from_text("#....#\n......\n......\n......\n......\n#....#"),
    "b5 d6 f5 e3 d1 f2 e4 d2 b1 a3 c2 e1 f3 e5 c4 b6 a4 b2 d3 c5 e6 f4 d5 c3 a2 b4 c6 a5 b3 d4 e2 c1",
)
KLEIN = named(kt.Board(4, 5, wrap="klein"), "b4 e4 a3 d3 b2 d1 c3 e2 c1 a4 d4 a2 d2 b1 e1 c2 e3 b3 a1 c4")
GIANT = kt.constructions.implicit_tour((10**9, 10**9), closed=True)
FIXED = {"3x4": SMALL, "6x6": SIX, "holes": HOLED, "klein": KLEIN}


# ---------------------------------------------------------------- appearance


@pytest.mark.parametrize("style", STYLES)
def test_each_style_is_drawn_as_its_golden_file(style, golden):
    golden(f"6x6-{style}.svg", str(kt.draw(SIX, style=style)))


def test_steps_style_draws_each_move_once_from_dark_to_light():
    for tour in (SIX, kt.find_tour("20x20", closed=True, seed=4), kt.find_tour("5x6", seed=2)):
        pieces = re.findall(r'<path d="([^"]*)" fill="none" stroke="(#[0-9a-f]{6})"', str(kt.draw(tour, style="steps")))
        colours = [colour for _, colour in pieces]
        # Colours do not come back once another has come.
        assert len(list(itertools.groupby(colours))) == len(set(colours)) > 10
        moves = sum(len(re.findall(r"-?[\d.]+", path.split("l")[1])) // 2 for path, _ in pieces)
        assert moves == len(tour) - (not tour.is_closed)


@pytest.mark.parametrize("name", FIXED)
def test_each_kind_of_board_is_drawn_as_its_golden_file(name, golden):
    golden(f"board-{name}.svg", str(kt.draw(FIXED[name], theme="dark")))


def test_all_decorations_together_are_drawn_as_their_golden_file(golden):
    picture = pictures.svg(
        SMALL,
        numbers=2,
        arrows=True,
        highlight={"b2": "#aa0000"},
        labels={"a1": "go"},
        colors={"background": "paper"},
        title="all",
    )
    golden("decorated.svg", picture)


def test_cover_window_and_empty_board_match_golden_files(golden):
    golden("cover.svg", pictures.svg("3x4", paths=[["a3", "c2", "a1", "b3"], ["b1", "c3", "d1", "b2"]], theme="light"))
    golden("window.svg", pictures.svg(GIANT, window=(10**8, 10**8, 4, 6), theme="light"))
    golden("empty.svg", str(kt.draw((4, 5), numbers=True)))


# ---------------------------------------------------------------- squares of the line


@given(tours(), st.sampled_from(["board", "line", "curve", "numbers"]))
def test_every_move_of_the_tour_is_drawn_and_no_other(tour, style):
    data = drawn.path_data(str(kt.draw(tour, style=style)))
    assert drawn.squares_of(data) == drawn.cycle(tour)


@given(tours())
def test_moves_over_joined_sides_leave_and_enter(tour):
    data = drawn.path_data(str(kt.draw(tour)))
    a, b = tour.board.piece.leaper
    drawn.check_breaks(data, tour.board)
    # Nothing is left out and nothing is added: the parts of each move make up its length.
    assert drawn.drawn_length(data) == pytest.approx((len(drawn.cycle(tour)) - 1) * np.hypot(a, b), abs=0.05)
    for x, y in (point for part in drawn.subpaths(data) for point in part):
        assert -0.01 <= x / UNIT <= tour.board.cols + 0.01 and -0.01 <= y / UNIT <= tour.board.rows + 0.01


@examples(20)
@given(tours())
def test_smooth_lines_cross_joined_sides(tour):
    drawn.check_breaks(drawn.path_data(str(kt.draw(tour, style="curve"))), tour.board)


@examples(20)
@given(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=12))
def test_border_of_a_holed_board_runs_between_squares(holes):
    board = kt.Board(4, 5, holes=holes)
    root = drawn.parse(str(kt.draw(board, coordinates=False, theme="light")))
    lines = [e for e in root.iter(f"{drawn.SVG}path") if e.get("stroke-linecap") == "square"]
    found = set()
    for (x0, y0), (x1, y1) in (part for line in lines for part in drawn.subpaths(line.attrib["d"])):
        for k in range(round((x1 - x0 + y1 - y0) / UNIT)):
            across = x1 > x0
            row, col = round(y0 / UNIT) + k * (not across), round(x0 / UNIT) + k * across
            found.add(((row - across, col - (not across)), (row, col)))
    squares = {(r, c) for r in range(4) for c in range(5)} - holes
    near = {((r - 1, c), (r, c)) for r in range(5) for c in range(5)}
    near |= {((r, c - 1), (r, c)) for r in range(4) for c in range(6)}
    assert found == {pair for pair in near if (pair[0] in squares) != (pair[1] in squares)}


# ---------------------------------------------------------------- paths, covers, windows


def test_rejects_paths_without_moves():
    with pytest.raises(kt.InvalidTour, match="a1 to a2 is not a move") as fault:
        pictures.svg("5x5", paths=["b3", "a1", "a2"])
    assert fault.value.step == 2
    with pytest.raises(kt.BoardError, match="not on the board"):
        pictures.svg("5x5", paths=["a9"])


@given(tours(boards=[kt.Board(6, 6), kt.Board(5, 6), kt.Board(4, 5, wrap="klein")]), st.data())
def test_window_shows_every_move_that_touches_it(tour, data):
    board = tour.board
    top, left = data.draw(st.integers(0, board.rows - 1)), data.draw(st.integers(0, board.cols - 1))
    rows, cols = data.draw(st.integers(1, board.rows - top)), data.draw(st.integers(1, board.cols - left))
    data_of = drawn.path_data(pictures.svg(tour, window=(top, left, rows, cols)))
    squares = drawn.cycle(tour)
    shown = set()
    for part in drawn.subpaths(data_of):
        inside = drawn.squares_of("M" + "L".join(f"{x} {y}" for x, y in part))
        shown |= {frozenset(pair) for pair in zip(inside, inside[1:], strict=False)}
    for a, b in zip(squares, squares[1:], strict=False):
        is_near = any(top <= r < top + rows and left <= c < left + cols for r, c in (a, b))
        is_straight = sorted((abs(a[0] - b[0]), abs(a[1] - b[1]))) == [1, 2]
        if is_near and is_straight:
            assert frozenset(((a[0] - top, a[1] - left), (b[0] - top, b[1] - left))) in shown


def test_window_of_an_implicit_tour_matches_the_tour():
    implicit = kt.constructions.implicit_tour((20, 24), closed=True)
    whole = kt.Tour((20, 24), implicit.window(0, 480))
    for window in ((0, 0, 5, 5), (6, 7, 4, 9), (15, 18, 5, 6), (0, 0, 20, 24)):
        pair = []
        for tour in (implicit, whole):
            parts = drawn.subpaths(drawn.path_data(pictures.svg(tour, window=window, style="line")))
            ends = [drawn.squares_of("M" + "L".join(f"{x} {y}" for x, y in part)) for part in parts]
            pair.append({frozenset(e) for part in ends for e in zip(part, part[1:], strict=False) if inside(e, window)})
        assert pair[0] == pair[1] and len(pair[0]) >= window[2] * window[3] / 2


def test_window_of_a_closed_tour_shows_numbered_first_square():
    tour = kt.solve("8x8", closed=True, start="c5", seed=1).tour
    picture = pictures.svg(tour, style="heat", numbers=True, window=(2, 1, 3, 4))
    numbers = set(re.findall(r"<tspan[^>]*>(\d+)<", picture))
    assert numbers == {str(tour.numbers[r, c]) for r in range(2, 5) for c in range(1, 5)} and "1" in numbers
    text = text_of(tour, style="boxes", color=True, window=(2, 1, 3, 4))
    assert re.search(r"\b1 ", text) and "65" not in text


def inside(move, window):
    return any(0 <= r < window[2] and 0 <= c < window[3] for r, c in move)


def test_windows_of_boards_of_any_size_are_drawn():
    for n in (10**9, 10**30):
        picture = pictures.svg(kt.constructions.implicit_tour((n, n)), window=(n - 8, n // 2, 8, 8), numbers=True)
        assert drawn.squares_of(drawn.path_data(picture)) and len(picture) < 40_000


# ---------------------------------------------------------------- for everybody


@examples(20)
@given(tours(), st.sampled_from(list(STYLES)), st.sampled_from(["auto", "light", "dark"]), st.booleans())
def test_every_picture_is_well_formed_and_described(tour, style, theme, numbers):
    assume(tour.board.wrap is None or not STYLES[style].is_mosaic)
    options = drawn.used(style, {"numbers": numbers, "arrows": numbers})
    root = drawn.parse(str(kt.draw(tour, style=style, theme=theme, **options)))
    assert root.get("role") == "img"
    assert root[0].tag == f"{drawn.SVG}title" and title_of(tour.board) in (root[0].text or "")
    assert root[1].tag == f"{drawn.SVG}desc" and re.search("closed tour|visited", root[1].text or "")
    x, y, width, height = map(float, root.attrib["viewBox"].split())
    assert width > 0 and height > 0 and x <= 0 and y <= 0


def test_titles_cannot_break_out_of_the_picture():
    root = drawn.parse(str(kt.draw(SMALL, title="</title><script>alert(1)</script>", labels={"a1": "<b>&"})))
    assert root[0].text == "</title><script>alert(1)</script>"
    assert not list(root.iter(f"{drawn.SVG}script"))
    for wrong in ('red" onload="x', "url(#a)", ""):
        with pytest.raises(kt.FormatError, match="invalid colour"):
            str(kt.draw(SMALL, highlight={"a1": wrong}))


def test_dark_colours_follow_the_system_by_default():
    assert "prefers-color-scheme:dark" in str(kt.draw(SMALL))
    for theme in ("light", "dark"):
        picture = str(kt.draw(SMALL, theme=theme))
        assert "<style" not in picture and THEMES[theme].path in picture
    classes = set(re.findall(r'class="([^"]*)"', str(kt.draw(SMALL))))
    rules = set(re.findall(r"\.(kt-\w+) \.([\w-]+)\{", str(kt.draw(SMALL))))
    assert {scope for scope, _ in rules} | {name for _, name in rules} == classes


def test_colours_can_be_told_apart_on_their_grounds():
    for theme in THEMES.values():
        for ground in (theme.light, theme.dark, theme.paper):
            for ink in (theme.path, theme.start, theme.end, *theme.loops):
                assert contrast(ink, ground) >= 3, (ink, ground)
            assert contrast(theme.number, ground) >= 4.5
        assert contrast(theme.text, theme.paper) >= 4.5
        assert len(set(theme.loops)) == 8
    assert all(contrast(ink_on(colour), colour) >= 4.5 for colour in ramp(64))


def test_notebooks_and_files_get_the_same_text(tmp_path):
    picture = kt.draw(SMALL)
    assert SMALL._repr_svg_() == str(picture)
    for _ in range(2):
        picture.save(tmp_path / "t.svg")
        assert (tmp_path / "t.svg").read_text() == str(picture)


@pytest.mark.long
def test_pictures_of_large_boards_stay_light():
    tour = kt.find_tour((100, 100), closed=True)
    sizes = {style: len(str(kt.draw(tour, style=style))) for style, row in STYLES.items() if row.path is None}
    assert max(sizes.values()) < 500_000 and sizes["board"] < 80_000, sizes


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"style": "pretty"}, "unknown style 'pretty'"),
        ({"theme": "blue"}, "unknown theme 'blue'"),
        ({"colour": {}}, "no option 'colour'; did you mean 'colors'"),
        ({"colors": {"path": "rde"}}, "invalid colour: 'rde'; did you mean 'red'?"),
        ({"colors": {"path": "#00000080"}}, "colours of a theme must be opaque"),
        ({"colors": {"background": "tael"}}, "did you mean 'teal'?"),
        ({"colors": {"pth": "#000000"}}, "no colour called 'pth'"),
        ({"colors": {"loops": []}}, "at least one colour"),
        ({"numbers": -1}, "numbers must be True, False"),
        ({"size": 0}, "invalid size: 0"),
        ({"line_width": 3}, "invalid line_width: 3"),
        ({"line_width": "3"}, "invalid line_width: '3'"),
        ({"line_width": "0mm"}, "invalid line_width: '0mm'"),
        ({"line_width": "3x"}, "invalid line_width: '3x'"),
        ({"line_width": "20mm"}, "wider than a square, which has 15.9 mm"),
        ({"line_width": 0, "style": "plotter"}, "invalid line_width: 0"),
        ({"title": "\0"}, "no picture can show the character '\\x00'"),
        ({"labels": {"a1": "\ud800"}}, "no picture can show the character '\\ud800'"),
        ({"colors": {"background": "url(x)"}}, "invalid colour"),
        ({"window": (0, 0, 4, 4)}, "the window of 4 rows"),
        ({"window": (0, 0)}, "not a window"),
        ({"window": (-1, 0, 2, 2)}, "not a window"),
        ({"paths": ["a1"]}, "a tour has its own path"),
    ],
)
def test_options_that_make_no_sense_are_refused_by_name(options, message):
    with pytest.raises((kt.FormatError, kt.BoardError), match=re.escape(message)) as fault:
        pictures.svg(SMALL, **options)
    says_how = "numbers" in message
    assert fault.value.help or fault.value.note or says_how


def test_impossible_drawing_is_reported():
    with pytest.raises(kt.BoardError, match="from a graph"):
        str(kt.draw(kt.Board.from_graph([[1], [0]])))
    with pytest.raises(kt.BoardError, match="too many for a picture") as fault:
        str(kt.draw(GIANT))
    assert ".region(" in fault.value.help
    with pytest.raises(kt.FormatError, match="too many for an SVG"):
        str(kt.draw((1500, 1500)))
    with pytest.raises(TypeError, match="not a board"):
        str(kt.draw(3.5))
