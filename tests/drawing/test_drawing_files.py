"""Tests of picture files: PNG, sheets, animations, and output of the command line."""

import io
import math
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image

import knightstour as kt
from helpers import drawn, pictures
from helpers.drawn import used
from helpers.examples import examples
from helpers.strategies import boards, tours
from knightstour.core.drawing import png, raster
from knightstour.core.drawing.animation import frames_of_search, frames_of_tour
from knightstour.core.drawing.figure import figure_of, leaps, pieces
from knightstour.core.drawing.look import look_of
from knightstour.core.drawing.styles import STYLES
from knightstour.core.drawing.text import text_of
from knightstour.core.model.trace import Event, Trace, replay
from knightstour.interfaces.cli import app

SMALL = kt.parse_tours("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1", "algebraic", (3, 4))[0]
LARGE = kt.find_tour((210, 210), closed=True)


def image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


# ---------------------------------------------------------------- PNG


@pytest.mark.parametrize("size", [37, 100, 641])
@pytest.mark.parametrize("board", ["3x4", "6x5", "1x1"])
def test_longer_side_has_the_requested_pixels(size, board):
    picture = image(bytes(kt.draw(board, "png", size=size)))
    assert max(picture.size) == size and picture.format == "PNG"


def test_paper_matches_the_theme_or_is_absent():
    corner = {
        theme: image(bytes(kt.draw(SMALL, "png", theme=theme))).convert("RGBA").getpixel((0, 0))
        for theme in ("auto", "light", "dark")
    }
    assert corner["auto"] == corner["light"] == (255, 255, 255, 255) and corner["dark"] == (0x12, 0x16, 0x1C, 255)
    assert image(bytes(kt.draw(SMALL, "png", colors={"background": "none"}))).convert("RGBA").getpixel((0, 0))[3] == 0


def test_picture_has_stable_bytes_and_text():
    assert bytes(kt.draw(SMALL, "png", numbers=True)) == bytes(kt.draw(SMALL, "png", numbers=True))
    ink = int(look_of({}).palette.text[1:], 16)
    counts = []
    for has_names in (False, True):
        picture = image(bytes(kt.draw("3x4", "png", coordinates=has_names, size=300))).convert("RGB")
        counts.append(sum(n for n, (r, g, b) in picture.getcolors(100_000) if r << 16 | g << 8 | b == ink))
    assert counts[0] == 0 and counts[1] > 50


@examples(25)
@given(tours(), st.sampled_from([6, 9, 14]))
def test_pointwise_drawing_covers_only_points_near_a_move(tour, side):
    figure = figure_of(tour)
    width = 0.2
    covered = raster._coverage(figure, figure.walks, side, look_of({"line_width": width}))
    rows, cols = tour.board.rows * side, tour.board.cols * side
    y, x = np.mgrid[0:rows, 0:cols] + 0.5
    nearest = np.full((rows, cols), np.inf)
    walk = figure.walks[0]
    leaving, _ = leaps(tour.board, walk.squares, walk.is_closed)
    for (row, col), (dr, dc) in zip(walk.squares.tolist(), leaving.tolist(), strict=False):
        for part in pieces(tour.board, [(col + 0.5, row + 0.5), (col + dc + 0.5, row + dr + 0.5)]):
            (x0, y0), (x1, y1) = (np.array(part[k]) * side for k in (0, -1))
            long = max((x1 - x0) ** 2 + (y1 - y0) ** 2, 1e-9)
            along = np.clip(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / long, 0, 1)
            nearest = np.minimum(nearest, np.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0)))
    half = max(1.0, width * side * 1.5) / 2
    assert covered.shape == (rows, cols)
    assert (covered[nearest < half - 0.51] == 255).all()
    assert (covered[nearest > half + 0.51] == 0).all()


@pytest.mark.parametrize("style", ["board", "line", "heat"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_large_boards_are_drawn_point_by_point(style, theme):
    picture = image(bytes(kt.draw(LARGE, "png", style=style, theme=theme)))
    assert picture.mode == "P" and picture.size[0] >= 210 * 6
    assert len(set(np.asarray(picture.convert("L")).ravel().tolist())) >= 3


def test_large_boards_reject_pointwise_options():
    for options in ({"style": "curve"}, {"numbers": True}, {"arrows": True}, {"labels": {"a1": "x"}}):
        with pytest.raises(kt.FormatError, match="is too large for") as fault:
            bytes(kt.draw(LARGE, "png", **options))
        assert "window" in fault.value.help
    with pytest.raises(kt.FormatError, match="pixels is too large"):
        bytes(kt.draw(LARGE, "png", size=50_000))
    with pytest.raises(kt.FormatError, match="pixels is too large"):
        bytes(kt.draw(SMALL, "png", size=50_000))


def test_covers_and_holes_of_large_boards_have_their_colours(monkeypatch):
    monkeypatch.setattr(png, "MAX_RENDERED", 0)
    board = kt.Board(6, 6, holes=["a1"])
    picture = image(pictures.png(board, paths=[["b1", "c3"], ["e1", "f3"]], theme="light", size=240)).convert("RGB")
    colours = {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in picture.getcolors(10_000)}
    light = look_of({"theme": "light"}).palette
    assert {light.loops[0], light.loops[1], light.light, light.paper} <= colours
    assert light.path not in colours
    heat = image(bytes(kt.draw(board, "png", style="heat", size=6))).convert("RGB")
    assert heat.size == (14, 14)


@examples(30)
@given(boards(), st.randoms(use_true_random=False), st.sampled_from(list(STYLES)), st.booleans(), st.booleans())
def test_paths_and_windows_become_svg_png_and_text(board, rng, style, has_window, flag):
    assume(style != "ribbon" or math.gcd(*board.piece.leaper) == 1)
    assume(style != "mosaic" or not (board.wrap or has_window))
    near = board.move_graph().neighbour_lists()
    paths = []
    for _ in range(rng.randrange(3)):
        path = [rng.choice(board.move_graph().squares.tolist())]
        while len(path) < 10 and (ways := [s for s in near[path[-1]] if s not in path]):
            path.append(rng.choice(ways))
        closes = len(path) > 2 and path[0] in near[path[-1]]
        paths.append([divmod(s, board.cols) for s in path + path[:1] * closes])
    top, left = rng.randrange(board.rows), rng.randrange(board.cols)
    part = (top, left, rng.randint(1, board.rows - top), rng.randint(1, board.cols - left))
    what = {"paths": paths or None, "window": part if has_window else None}
    options = used(style, {"numbers": flag, "arrows": flag})
    picture = pictures.svg(board, **what, style=style, **options)
    assert drawn.parse(picture).get("role") == "img"
    assert max(image(pictures.png(board, **what, style=style, size=60)).size) == 60
    if style in ("board", "line", "heat"):
        assert raster.draw(figure_of(board, **what), look_of({"style": style, "size": 40})).startswith(b"\x89PNG")
    assert text_of(board, **what, ascii=flag, color=not flag)


# ---------------------------------------------------------------- sheets


def test_sheet_shows_every_tour_in_rows():
    tours = [kt.find_tour((6, 6), closed=True, method="rotation", seed=k) for k in range(5)]
    root = drawn.parse(str(kt.draw(tours, per_row=2, title=[f"no {k}" for k in range(5)])))
    cells = root.findall(f"{drawn.SVG}svg")
    places = [(float(cell.attrib["x"]), float(cell.attrib["y"])) for cell in cells]
    assert len({x for x, _ in places}) == 2 and len({y for _, y in places}) == 3
    for tour, cell in zip(tours, cells, strict=True):
        line = [e for e in cell.iter(f"{drawn.SVG}path") if e.get("stroke-linejoin") == "round"][-1]
        assert drawn.squares_of(line.attrib["d"]) == drawn.cycle(tour)
    assert [text.text for text in root.findall(f"{drawn.SVG}text")] == [f"no {k}" for k in range(5)]


def test_sheet_needs_tours_and_equally_many_captions():
    for wrong, options, message in (
        ([], {}, "no tour to draw"),
        ([SMALL, SMALL], {"title": ["one"]}, "1 titles for 2 pictures"),
        ([SMALL], {"per_row": 0}, "per_row must be at least 1"),
        ([SMALL, SMALL], {"style": "plotter", "title": ["one", "two"]}, "one title only"),
        ([kt.Board(900, 900), kt.Board(900, 900)], {}, "squares together"),
    ):
        with pytest.raises(kt.FormatError, match=message):
            str(kt.draw(wrong, **options))


# ---------------------------------------------------------------- moving pictures


def test_animation_has_a_frame_per_square_and_a_final_one():
    picture = image(bytes(kt.draw(SMALL, "gif", size=64, fps=10, theme="dark")))
    assert picture.format == "GIF"
    # Frames that look alike may be one; the last two differ in nothing here, since the tour is open.
    assert len(SMALL) <= picture.n_frames <= len(SMALL) + 1
    assert max(picture.size) == 64
    assert picture.info["loop"] == 0


def test_frames_have_the_requested_number_and_a_final_tour():
    for most in (1, 2, 5, 12, 13, 100):
        shots = frames_of_tour(SMALL, most)
        assert len(shots) == min(most, len(SMALL) + 1)
        assert shots[-1].figure.length == len(SMALL)
        lengths = [len(shot.figure.walks[0]) for shot in shots]
        assert lengths == sorted(lengths)
    picture = image(bytes(kt.draw(SMALL, "gif", size=40, fps=2)))
    assert picture.info["duration"] == 500


def test_search_view_shows_dead_ends_and_candidates():
    events = [
        Event("stage", name="backtracking"),
        Event("visit", (8,)),
        Event("candidates", (1, 2), (1, 2)),
        Event("visit", (1,)),
        Event("candidates", (), ()),
        Event("count", (), (2,), "nodes"),
        Event("unvisit", (1,)),
        Event("tour", tuple(SMALL.order)),
    ]
    shots = frames_of_search("3x4", events, 100, look_of({"theme": "light"}))
    # A square entered and the candidates after it are one frame; counts are none.
    assert len(shots) == 5
    assert shots[1].labels == {(0, 1): "1", (0, 2): "2"} and set(shots[1].tinted) == {(0, 1), (0, 2)}
    assert set(shots[3].tinted) == {(0, 1)} and len(shots[3].figure.walks[0]) == 1
    assert shots[4].figure.length == 12 and not shots[4].tinted


def test_cover_loops_keep_colours_until_joined():
    square = [(0, 6), (6, 4), (4, 10), (10, 0)]
    events = [
        Event("cover", tuple(s for pair in [*square, (1, 3), (3, 9)] for s in pair)),
        Event("join", (3, 9, 9, 1), (1, 1)),
    ]
    shots = frames_of_search("3x4", events, 10, look_of({}))
    first, second = ({walk.tone: walk for walk in shot.figure.walks} for shot in shots)
    assert first[0].is_closed and len(first[0]) == 4 and not first[1].is_closed
    assert set(first) == set(second) == {0, 1}
    assert second[0].squares.tolist() == first[0].squares.tolist()


def test_a_recorded_search_becomes_a_moving_picture():
    trace = Trace()
    kt.solve((5, 5), method="backtracking", start="a1", trace=trace, seed=1)
    assert len(trace) > 20
    picture = image(bytes(kt.draw(trace, "gif", size=60)))
    assert 2 < picture.n_frames <= 240
    with pytest.raises(kt.FormatError, match="does not show a search"):
        kt.draw(trace)
    with pytest.raises(kt.FormatError, match="the trace is empty"):
        kt.draw(Trace(), "gif")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fps": 0}, "invalid fps: 0"),
        ({"fps": 200}, "invalid fps: 200"),
        ({"style": "plotter"}, "has no animations"),
        ({"size": 9000}, "need too much memory"),
    ],
)
def test_moving_pictures_that_make_no_sense_are_refused(options, message):
    with pytest.raises(kt.FormatError, match=re.escape(message)):
        bytes(kt.draw(SMALL, "gif", **options))
    with pytest.raises(kt.FormatError, match="shows a tour, a search or a proof"):
        bytes(kt.draw("3x4", "gif"))


# ---------------------------------------------------------------- the command line


def run(*words: str) -> int:
    return app._run(list(words), debug=False)


@pytest.fixture
def tour_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kt.write_tours("t.json", [SMALL, SMALL.reversed()])
    kt.write_tours("one.json", SMALL)
    return tmp_path


@pytest.mark.long
def test_method_without_steps_shows_its_tour_and_a_note(tour_file, capsys):
    assert run("solve", "8x8", "--method", "explicit", "-o", "e.gif", "--watch") == 0
    assert image((tour_file / "e.gif").read_bytes()).n_frames > 50
    assert "took no steps" in capsys.readouterr().err


def test_draw_shows_boards_and_sheets(tour_file, capsysbinary):
    assert run("draw", "t.json", "-o", "g.svg", "--per-row", "2", "--numbers", "1") == 0
    assert (tour_file / "g.svg").read_text().count("<svg") == 3
    assert run("draw", "t.json", "-o", "g.png", "--size", "300") == 0
    assert max(image((tour_file / "g.png").read_bytes()).size) == 300
    assert run("draw", "4x5", "-o", "b.svg", "--style", "heat") == 0
    capsysbinary.readouterr()
    assert run("draw", "json:-", "--format", "png") == 2  # stdin holds nothing here
    assert run("draw", "one.json", "--format", "png") == 0
    assert image(capsysbinary.readouterr().out).format == "PNG"


@pytest.mark.long
def test_subtree_size_matches_counts():
    trace = searched("5x5")
    picture = image(bytes(kt.draw(trace, "gif", size=200)))
    tour = image(bytes(kt.draw(kt.find_tour("5x5", seed=1), "gif", size=200)))
    assert picture.width == tour.width and picture.height == tour.height + 16
    shots = frames_of_search("5x5", trace, 6, look_of({}))
    last = list(replay(trace, "5x5"))[-1].counters
    assert shots[-1].caption.startswith(f"nodes {last['nodes']:,}") and last["nodes"] >= 25


def searched(board):
    trace = Trace()
    kt.solve(board, method="backtracking", trace=trace)
    return trace
