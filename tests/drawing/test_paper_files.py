"""Tests of files for plotters and printers: strokes visit the squares in order, and a PDF opens."""

import io

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import drawn
from helpers.examples import examples
from helpers.strategies import tours
from knightstour.core.drawing.figure import figure_of
from knightstour.core.drawing.look import look_of
from knightstour.core.drawing.measures import PAPERS
from knightstour.core.drawing.png import font_file
from knightstour.lab.pictures.plotter import number_strokes, sheet_of

TOUR = kt.find_tour("6x6", closed=True, seed=1)
Strokes = dict[int, list[list[tuple[float, float]]]]


def strokes_of(picture: str) -> Strokes:
    """Return the strokes of each pen, in millimetres from the top left corner."""
    root = drawn.parse(picture)
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert (root.get("width"), root.get("height")) == (f"{width:g}mm", f"{height:g}mm")
    return {
        int(pen.attrib["id"].removeprefix("pen-")): [
            [(x - left, y - top) for x, y in stroke] for stroke in drawn.subpaths(pen[0].attrib["d"])
        ]
        for pen in root.findall(f"{drawn.SVG}g")
    }


def sheet(subject, **options) -> Strokes:
    return strokes_of(str(kt.draw(subject, style="plotter", **options)))


def squares_of(strokes: list[list[tuple[float, float]]], side: float, margin: float):
    """Return the squares at the points of the strokes, in order."""
    found: list[tuple[int, int]] = []
    for x, y in (point for stroke in strokes for point in stroke):
        col, row = (x - margin) / side - 0.5, (y - margin) / side - 0.5
        if abs(col - round(col)) < 0.01 and abs(row - round(row)) < 0.01:
            square = (round(row), round(col))
            if not found or found[-1] != square:
                found.append(square)
    return found


@examples(20)
@given(tours())
def test_pen_visits_squares_in_order_and_lifts_at_joined_borders(tour):
    pens = sheet(tour, size=200)
    side = 200 / max(tour.board.rows, tour.board.cols)
    assert squares_of(pens[2], side, 5) == drawn.cycle(tour)
    assert len(pens[2]) == 1 or tour.board.wrap is not None


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("orientation", [" landscape", " portrait", ""])
def test_everything_lies_within_the_margins_of_the_paper(paper, orientation):
    board = kt.Board(5, 9, holes=["a1"])
    look = {"numbers": True, "coordinates": True, "paper": paper.lower() + orientation}
    pens = sheet(board, **look)
    width, height = PAPERS[paper] if orientation == " portrait" else PAPERS[paper][::-1]
    points = [point for strokes in pens.values() for stroke in strokes for point in stroke]
    xs, ys = zip(*points, strict=True)
    assert min(xs) >= 14.97 and max(xs) <= width - 14.97 and min(ys) >= 14.97 and max(ys) <= height - 14.97
    # It is as large as it can be, and in the middle.
    assert max(xs) - min(xs) > width - 30.1 or max(ys) - min(ys) > height - 30.1
    assert min(xs) + max(xs) == pytest.approx(width, abs=0.06) and min(ys) + max(ys) == pytest.approx(height, abs=0.06)


def test_numbers_are_strokes_on_their_squares_away_from_the_lines():
    made = sheet_of([figure_of(TOUR)], look_of({"style": "plotter", "numbers": True, "size": 6}))
    pen = made.pens[-1]
    assert pen.name == "numbers" and len(pen.lines) == sum(len(str(k + 1)) for k in range(36))
    at = 0
    for square in sorted(TOUR):
        text = str(TOUR.numbers[square])
        for _ in text:
            assert all(
                square[1] <= x <= square[1] + 1 and square[0] <= y <= square[0] + 1 for x, y in pen.lines[at].points
            )
            at += 1
    assert {len(number_strokes(str(k), (0, 0), 1)) for k in range(10)} == {1}
    assert len({str(number_strokes(str(k), (0, 0), 1)) for k in range(10)}) == 10


def test_several_tours_share_one_sheet_with_separate_pens():
    boards = [kt.Board(5, 6), kt.Board(6, 6, holes=["a1", "b1"]), kt.Board(3, 4)]
    drawn = [figure_of(kt.find_tour(board, seed=1)) for board in boards]
    look = look_of({"style": "plotter", "paper": "a2", "numbers": True})
    made = sheet_of(drawn, look, 2)
    assert [(pen.number, pen.name) for pen in made.pens] == [(1, "board"), (2, "tour"), (3, "numbers")]
    assert (made.width, made.height) == (420, 594)
    sizes = [look.with_options(size=made.unit * max(one.rows, one.cols)) for one in drawn]
    alone = [{pen.name: pen for pen in sheet_of([one], size).pens} for one, size in zip(drawn, sizes, strict=True)]
    for pen in made.pens:
        assert len(pen.lines) == sum(len(each[pen.name].lines) for each in alone if pen.name in each)
    # Each tour is where its board is: two in the first row, one below, in the middle of their places.
    (tour,) = [pen for pen in made.pens if pen.name == "tour"]
    for one, (left, top), line in zip(drawn, [(0, 0.5), (7, 0), (1, 8.5)], tour.lines, strict=True):
        xs, ys = zip(*line.points, strict=True)
        found = [min(xs), min(ys), max(xs), max(ys)]
        wanted = [left + 0.5, top + 0.5, left + one.cols - 0.5, top + one.rows - 0.5]
        assert found == pytest.approx([made.unit * each for each in wanted])
    for kind in ("svg", "pdf"):
        assert bytes(kt.draw([kt.find_tour(board, seed=1) for board in boards], kind, style="plotter", paper="a2"))
    with pytest.raises(kt.FormatError, match="strokes"):
        bytes(kt.draw(boards, "png", style="plotter"))


@examples(20)
@given(tours(), st.data())
def test_a_window_is_cut_at_its_sides(tour, data):
    board = tour.board
    top, left = data.draw(st.integers(0, board.rows - 1)), data.draw(st.integers(0, board.cols - 1))
    rows, cols = data.draw(st.integers(1, board.rows - top)), data.draw(st.integers(1, board.cols - left))
    made = sheet_of(
        [figure_of(tour, window=(top, left, rows, cols))], look_of({"style": "plotter", "size": max(rows, cols)})
    )
    for x, y in (point for pen in made.pens for line in pen.lines for point in line.points):
        assert -1e-6 <= x <= cols + 1e-6 and -1e-6 <= y <= rows + 1e-6


# ---------------------------------------------------------------- PDF


@pytest.mark.parametrize("style", ["board", "curve", "steps", "ribbon", "mosaic", "numbers", "heat", "plotter"])
def test_a_pdf_opens_and_has_the_size_of_its_paper(style):
    page = pypdf.PdfReader(io.BytesIO(bytes(kt.draw(TOUR, "pdf", style=style, paper="A4", title="A tour")))).pages[0]
    assert [round(float(side)) for side in page.mediabox[2:]] == [595, 842]
    small = pypdf.PdfReader(io.BytesIO(bytes(kt.draw(TOUR, "pdf", style=style, size=96))))
    assert max(small.pages[0].mediabox[2:]) == pytest.approx(72 if style != "plotter" else 106 / 25.4 * 72, abs=0.5)
    assert small.metadata.title == "Knight's tour of a 6x6 board"


def test_pdf_has_numbers_as_text_and_stable_bytes():
    made = bytes(kt.draw(TOUR, "pdf", numbers=True, coordinates=False))
    words = pypdf.PdfReader(io.BytesIO(made)).pages[0].extract_text().split()
    assert sorted(map(int, words)) == list(range(1, 37))
    assert made == bytes(kt.draw(TOUR, "pdf", numbers=True, coordinates=False))


def test_windows_scenes_and_sheets_become_pdf(tmp_path, run):
    giant = bytes(kt.draw(kt.constructions.implicit_tour((10**6, 10**6)).region(5, 5, 8, 8), "pdf"))
    assert "1,000,000" in pypdf.PdfReader(io.BytesIO(giant)).pages[0].extract_text()
    scene = kt.solve("4x8", closed=True).certificate().scenes[0]
    assert "tour" in pypdf.PdfReader(io.BytesIO(bytes(kt.draw(scene, "pdf")))).pages[0].extract_text()
    target = tmp_path / "sheet.pdf"
    code, _, said = run("solve", "6x6", "--closed", "-n", "3", "-o", str(target))
    assert code == 0, said
    assert len(pypdf.PdfReader(target).pages) == 1


# ---------------------------------------------------------------- all functions, and bad input


@pytest.mark.parametrize(
    ("format", "options", "message"),
    [
        ("svg", {"style": "plotter", "labels": {"a1": "x"}}, "the style plotter does not use labels"),
        ("svg", {"style": "plotter", "paper": "A7"}, "unknown paper 'A7'"),
        ("svg", {"style": "plotter", "paper": "20x400mm"}, "leaves no space"),
        ("svg", {"style": "plotter", "paper": "A5", "size": 300}, "does not fit on A5"),
        ("svg", {"style": "plotter", "colors": {"background": "ivory"}}, "plotter has no background"),
        ("pdf", {"paper": "A5", "size": 3000}, "does not fit on A5"),
        ("pdf", {"labels": {"a1": "☃"}}, "the font of the PDF has no letter '☃'"),
    ],
)
def test_rejects_meaningless_paper(format, options, message):
    with pytest.raises(kt.FormatError, match=message) as fault:
        bytes(kt.draw(TOUR, format, **options))
    assert fault.value.help


def test_a_pdf_is_saved_with_another_font(tmp_path):
    picture = kt.draw(TOUR, "pdf", numbers=True)
    file = font_file()
    assert file is not None
    picture.save(tmp_path / "a.pdf", font=file)
    TOUR.save(tmp_path / "b.pdf", numbers=True, font="Times")
    assert (tmp_path / "a.pdf").read_bytes() == bytes(picture)
    fonts = {str(font["/BaseFont"]) for font in used_fonts(tmp_path / "b.pdf")}
    assert fonts == {"/Times-Roman"}
    with pytest.raises(kt.FormatError, match="not a font"):
        picture.save(tmp_path / "c.pdf", font="Papyrus")
    with pytest.raises(kt.FormatError, match="no font to choose"):
        kt.draw(TOUR).save(tmp_path / "c.svg", font="Times")


def used_fonts(path):
    fonts = pypdf.PdfReader(path).pages[0]["/Resources"]["/Font"]
    return [font.get_object() for font in fonts.values()]
