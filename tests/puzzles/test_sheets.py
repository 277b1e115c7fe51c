"""Tests of sheets: all puzzles, their solutions if required, inside the paper; and valid PDF."""

import base64
import re
import shlex
import warnings
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import knightstour as kt
from knightstour.core.drawing.measures import PAPERS, width_of
from knightstour.core.drawing.origin import origin_of
from knightstour.core.drawing.paper import Box, Page, Polygon, Text, to_pdf, width_in
from knightstour.core.drawing.png import font_file
from knightstour.core.model.board import Board
from knightstour.lab.puzzles.layout import PER_PAGE, SHEET_PAPERS
from knightstour.lab.puzzles.puzzle import Puzzle, puzzle_with

PUZZLES = [kt.make_puzzle("5x5", seed=seed, level="easy") for seed in range(3)]
MANY = [kt.make_puzzle("5x5", seed=seed, level="easy") for seed in range(13)]
SVG = "{http://www.w3.org/2000/svg}"


def texts(page: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(page).findall(f"{SVG}text")


@pytest.mark.parametrize("per_page", PER_PAGE)
@pytest.mark.parametrize("paper", SHEET_PAPERS)
@pytest.mark.parametrize("solutions", [None, "below", "last", "none"])
def test_everything_lies_on_the_paper(per_page: int, paper: str, solutions: str | None) -> None:
    sheet = kt.puzzles.draw_sheet(MANY, per_page=per_page, paper=paper, solutions=solutions)
    count = -(-13 // per_page)
    is_last = solutions == "last" or (solutions is None and per_page == 12)
    assert len(sheet.pages) == count + is_last * -(-13 // max(6, per_page))
    for page in sheet.pages:
        assert (page.width, page.height) == PAPERS[paper]
        for item in page.items:
            width = item.width if isinstance(item, Box) else width_of(item.text, item.size)
            height = item.height if isinstance(item, Box) else item.size
            left = item.x
            if isinstance(item, Text):
                left -= {"start": 0.0, "middle": 0.5, "end": 1.0}[item.anchor] * width
            assert left > 5 and left + width < page.width - 5
            assert item.y > 5 and (item.y + height if isinstance(item, Box) else item.y) < page.height - 5


def test_boards_on_a_page_do_not_overlap() -> None:
    for per_page in PER_PAGE:
        page = kt.puzzles.draw_sheet(MANY[:12], per_page=per_page, solutions="below").pages[0]
        frames = [item for item in page.items if isinstance(item, Box) and item.fill is None]
        assert len(frames) == 2 * per_page
        for k, one in enumerate(frames):
            for other in frames[:k]:
                is_beside = one.x >= other.x + other.width or other.x >= one.x + one.width
                assert is_beside or one.y >= other.y + other.height or other.y >= one.y + one.height


def test_given_numbers_are_printed_and_others_follow() -> None:
    puzzle = PUZZLES[0]
    numbers = {str(number) for number in puzzle.given.values()}
    (page,) = kt.puzzles.draw_sheet([puzzle], solutions="none").to_svg()
    assert {t.text for t in texts(page) if (t.text or "").isdigit()} == numbers
    (page,) = kt.puzzles.draw_sheet([puzzle], solutions="below").to_svg()
    turned = [t.text for t in texts(page) if "rotate(180" in t.get("transform", "")]
    assert sorted(t for t in turned if t is not None) == sorted([*(str(k) for k in range(1, 26)), "1"])
    _, last = kt.puzzles.draw_sheet([puzzle], solutions="last").to_svg()
    assert {str(k) for k in range(1, 26)} <= {t.text for t in texts(last)}
    assert any("easy" in (t.text or "") for t in texts(page))


def of_tour(tour: kt.Tour, closed: bool = False) -> Puzzle:
    return puzzle_with(Puzzle(tour.board, {tour.start: 1}, closed=closed), solution=tour)


OPEN, OTHER, CLOSED = kt.find_tour("5x5", seed=1), kt.find_tour("5x5", seed=2), kt.find_tour("6x6", closed=True, seed=1)


@pytest.mark.parametrize(
    ("puzzles", "groups"),
    [
        ([of_tour(OPEN), of_tour(OTHER), of_tour(CLOSED)], ""),
        ([of_tour(OPEN), of_tour(OTHER), of_tour(OPEN)], "1 and 3"),
        ([of_tour(OPEN.reversed()), of_tour(OPEN)], "1 and 2"),
        ([of_tour(CLOSED, True), of_tour(CLOSED.shifted(5), True), of_tour(OTHER), of_tour(OTHER)], "1 and 2; 3 and 4"),
        ([of_tour(CLOSED), of_tour(CLOSED.shifted(5))], ""),
        ([of_tour(OPEN), puzzle_with(of_tour(OPEN), solution=None)], ""),
    ],
)
def test_a_sheet_warns_of_puzzles_with_the_same_solution(puzzles: list[Puzzle], groups: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kt.puzzles.draw_sheet(puzzles, solutions="none")
    expected = [f"puzzles with the same solution: {groups}"] if groups else []
    assert [str(each.message) for each in caught] == expected


@pytest.mark.parametrize("title", [None, "Week 48"])
def test_a_title_keeps_the_rules(title: str | None) -> None:
    (page,) = kt.puzzles.draw_sheet(PUZZLES[:1], solutions="none", title=title).to_svg()
    words = [t.text for t in texts(page)]
    assert words[0] == (title or "Knight's tour")
    assert "Number the squares from 1 to 25, so that each number is a knight's move from the one before." in words
    (page,) = kt.puzzles.draw_worksheet("wrong-move", "5x5", title=title, seed=1, solutions="none").to_svg()
    words = [t.text for t in texts(page)]
    assert words[0] == (title or "Find the wrong move")
    assert any("except once" in (word or "") for word in words)


def test_puzzle_read_from_a_file_claims_no_unique_solution() -> None:
    unsolved = puzzle_with(PUZZLES[0], solution=None)
    claims = ["exactly one solution" in kt.puzzles.draw_sheet([p]).to_svg()[0] for p in (PUZZLES[0], unsolved)]
    assert claims == [True, False]


@pytest.mark.parametrize(
    ("board", "title", "rule"),
    [
        ("hex:3:wazir", "Hidato", "each number touches the one before"),
        ("tri:5:wazir", "Hidato", "each number touches the one before"),
        ("hex:3:king", "Tours", "a king's move from the one before"),
        ("2x3x3:king", "Tours", "The board has 2 layers"),
    ],
)
@pytest.mark.parametrize("per_page", [1, 6])
def test_boards_of_cells_are_printed_cell_by_cell(board: str, title: str, rule: str, per_page: int) -> None:
    puzzle = kt.make_puzzle(board, level="easy", seed=1)
    assert puzzle.solution is not None
    page, last = kt.puzzles.draw_sheet([puzzle], solutions="last", per_page=per_page).pages
    texts = [item for item in page.items if isinstance(item, Text)]
    assert texts[0].text == title and any(rule in item.text for item in texts)
    cells = [item for item in page.items if isinstance(item, Polygon)]
    assert len(cells) == len(puzzle.board)
    corners = [corner for cell in cells for corner in cell.corners]
    assert all(5 < x < page.width - 5 and 5 < y < page.height - 5 for x, y in corners)
    # Each given number is in the middle of its cell.
    for (_, k), number in puzzle.given.items():
        x = sum(x for x, _ in cells[k].corners) / len(cells[k].corners)
        assert [item.text for item in texts if item.is_bold and abs(item.x - x) < 1e-6 and cells[k].y < item.y] != []
        assert any(item.text == str(number) and abs(item.x - x) < 1e-6 for item in texts)
    numbers = {item.text for item in last.items if isinstance(item, Text)}
    assert {str(k) for k in range(1, len(puzzle.board) + 1)} <= numbers
    assert kt.puzzles.draw_sheet([puzzle]).to_pdf()[:5] == b"%PDF-"


def test_boards_of_a_page_have_squares_of_one_size() -> None:
    puzzles = [kt.make_puzzle(board, seed=1, level="easy") for board in ("5x7", "7x5", "5x5")]
    for square, shade in ((None, None), (7.5, 0.4)):
        (page,) = kt.puzzles.draw_sheet(puzzles, solutions="none", square_mm=square, shade=shade).pages
        squares = [item for item in page.items if isinstance(item, Box) and item.stroke == 0.45]
        sides = {round(item.width, 6) for item in squares}
        assert len(squares) == 95 and len(sides) == 1 and (square is None or sides == {square})
        assert {item.fill for item in squares} == {1.0, 1 - (shade or 0.12)}


COLORS = {"light": "ivory", "dark": "#abc", "number": "#a00000", "text": "navy", "frame": "teal"}


def test_a_sheet_has_its_font_and_colours_and_no_others() -> None:
    style = {"font": "Times", "colors": COLORS, "solutions": "last"}
    sheet = kt.puzzles.draw_sheet([PUZZLES[0], kt.make_puzzle("5x5:wazir", kind="zip", clues=4, seed=1)], **style)
    for page in (*sheet.to_svg(), *kt.puzzles.draw_worksheet("degrees", "4x5", font="Times", colors=COLORS).to_svg()):
        root = ElementTree.fromstring(page)
        assert str(root.get("font-family")).startswith("Times,")
        paints = {each.get(name) for each in root.iter() for name in ("fill", "stroke")} - {None, "none"}
        assert paints == {"#ffffff", "#fffff0", "#aabbcc", "#a00000", "#000080", "#008080"}
        bold = {each.get("fill") for each in texts(page) if each.get("font-weight") and float(each.get("y", 0)) > 25}
        assert bold == {"#a00000"}
    data = sheet.to_pdf()
    assert b"/BaseFont /Times-Roman " in data and b"/BaseFont /Times-Bold " in data and b"Helvetica" not in data
    content = zlib.decompress(data[data.index(b"stream\n") + 7 :])
    operators = set(re.findall(rb"[0-9. ]+ (?:rg|RG|g|G)\b", content))
    assert {paint.strip() for paint in operators} == {
        b"1 1 0.9412 rg",
        b"0.6667 0.7333 0.8 rg",
        b"0.6275 0 0 rg",
        b"0.6275 0 0 RG",
        b"0 0 0.502 rg",
        b"0 0.502 0.502 rg",
        b"0 0.502 0.502 RG",
    }


def test_words_fit_the_paper_in_a_wide_font() -> None:
    (page,) = kt.puzzles.draw_sheet(PUZZLES[:1], solutions="none", font="Courier", title="Long " * 40).pages
    assert all(
        item.x + width_in("Courier", item.text, item.size) < 197 for item in page.items if isinstance(item, Text)
    )
    assert "font-family=\"'Open Sans 3'," in kt.puzzles.draw_sheet(PUZZLES, font="Open Sans 3").to_svg()[0]


def test_holes_are_drawn_as_an_outline_only() -> None:
    board = Board(4, 5, holes=[(0, 0), (1, 2)])
    (page,) = kt.puzzles.draw_sheet([Puzzle(board, {})], solutions="none").pages
    boxes = [item for item in page.items if isinstance(item, Box)]
    squares = [box for box in boxes if box.stroke is not None]
    assert len(squares) == 18 and all(box.fill is not None for box in boxes)
    # Six lines go round a rectangle without a corner, four round the hole inside.
    assert len(boxes) - len(squares) == 6 + 4


def test_solution_page_explains_why_a_puzzle_is_easy() -> None:
    rating = PUZZLES[0].rate()
    assert rating.score == rating.counts["reach"]
    _, last = kt.puzzles.draw_sheet(PUZZLES[:1], solutions="last").to_svg()
    assert {f"1 · easy · score {rating.score}", f"{rating.score} by reach"} <= {t.text for t in texts(last)}


def test_pdf_has_parts_at_its_recorded_offsets() -> None:
    data = kt.puzzles.draw_sheet(PUZZLES, per_page=1, solutions="last").to_pdf()
    start = int(re.findall(rb"startxref\n(\d+)", data)[0])
    assert data[start:].startswith(b"xref")
    places = [int(line[:10]) for line in data[start:].splitlines() if line.endswith(b" n ")]
    for k, place in enumerate(places, 1):
        assert data[place:].startswith(f"{k} 0 obj".encode())
    assert data.count(b"/Type /Page ") == 4 and b"/Count 4" in data
    streams = re.findall(rb"/Length (\d+) /Filter /FlateDecode >>\nstream\n", data)
    at = 0
    for length in streams:
        at = data.index(b"stream\n", data.index(b"/Filter", at)) + 7
        content = zlib.decompress(data[at : at + int(length)])
        assert content.count(b"BT") == content.count(b"ET") > 5
    assert data == kt.puzzles.draw_sheet(PUZZLES, per_page=1, solutions="last").to_pdf()


def test_only_pdf_rejects_unsupported_letters() -> None:
    page = Page(100, 100, items=[Text(10, 10, "Ř", 5)])
    assert "Ř" in page.to_svg()
    with pytest.raises(kt.FormatError, match="a PDF does not support the letter 'Ř'"):
        to_pdf([page])
    assert to_pdf([Page(100, 100, items=[Text(10, 10, "é & <", 5)])])
    assert "&amp; &lt;" in Page(100, 100, items=[Text(10, 10, "é & <", 5)]).to_svg()


def test_pdf_rejects_unknown_fonts() -> None:
    with pytest.raises(kt.FormatError, match="unknown font of a PDF 'Tims'; did you mean 'Times'"):
        kt.puzzles.draw_sheet(PUZZLES, font="Tims").to_pdf()


@pytest.fixture(scope="module")
def font() -> str:
    """Return the font file of Pillow."""
    pytest.importorskip("fpdf")
    path = font_file()
    assert path is not None
    return path


def test_a_font_of_a_file_is_put_into_the_sheet(font: str) -> None:
    puzzles = [PUZZLES[0], kt.make_puzzle("hex:3:wazir", kind="zip", clues=4, seed=1)]
    sheet = kt.puzzles.draw_sheet(puzzles, font=font, title="ﬁt and ﬂat")
    data = sheet.to_pdf()
    assert data[:5] == b"%PDF-" and b"/FontFile2" in data and b"Helvetica" not in data and data == sheet.to_pdf()
    (page,) = sheet.to_svg()
    root = ElementTree.fromstring(page)
    assert str(root.get("font-family")).startswith("sheet,")
    style = root.find(f"{SVG}style")
    assert style is not None and style.text is not None
    assert base64.b64decode(style.text.split("base64,")[1].rstrip(")}")) == Path(font).read_bytes()
    # Texts have their width in this font.
    title = next(item for item in sheet.pages[0].items if isinstance(item, Text))
    assert width_in(font, title.text, 10) != width_in("Helvetica", title.text, 10)
    assert width_in(font, "11", 10) == pytest.approx(2 * width_in(font, "1", 10))


def test_invalid_font_is_one_error(font: str, tmp_path: Path) -> None:
    path = tmp_path / "text.ttf"
    path.write_text("no font")
    with pytest.raises(kt.FormatError, match=r"text\.ttf is not a font"):
        kt.puzzles.draw_sheet(PUZZLES, font=str(path))
    with pytest.raises(kt.FormatError, match="has no letter '日'"):
        kt.puzzles.draw_sheet(PUZZLES, font=font, title="日本").to_pdf()


def test_files_are_written_page_by_page(tmp_path: Path) -> None:
    sheet = kt.puzzles.draw_sheet(PUZZLES, per_page=1)
    assert sheet.write(tmp_path / "all.pdf") == [str(tmp_path / "all.pdf")]
    names = sheet.write(tmp_path / "page.svg")
    assert [Path(name).name for name in names] == ["page.svg", "page-2.svg", "page-3.svg"]
    assert sheet.write(tmp_path / "page.svg") == names
    with pytest.raises(kt.FormatError, match=r".svg or .pdf"):
        sheet.write(tmp_path / "page.png")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"puzzles": []}, "no puzzles to print"),
        ({"per_page": 5}, "per_page cannot be 5"),
        ({"paper": "A5"}, "unknown paper 'A5'"),
        ({"solutions": "here"}, "unknown place for solutions"),
        ({"font": 'A"><script>'}, "invalid name of a font"),
        ({"font": None}, "invalid name of a font"),
        ({"colors": {"dark": "rde"}}, "invalid colour: 'rde'; did you mean 'red'"),
        ({"colors": {"nummer": "red"}}, "no colour called 'nummer'; did you mean 'number'"),
        ({"colors": {"path": "red"}}, "unknown colour of a sheet 'path'"),
        ({"colors": {"dark": "red"}, "shade": 0.2}, "shade and the colour of dark squares cannot be combined"),
        ({"puzzles": [Puzzle(Board.from_graph([[1], [0]]), {})]}, "cannot be printed"),
    ],
    ids=str,
)
def test_rejects_unprintable_puzzles(options: dict[str, object], message: str) -> None:
    with pytest.raises(kt.KnightsTourError, match=message):
        kt.puzzles.draw_sheet(**{"puzzles": PUZZLES, **options})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "words",
    [
        ["puzzle", "5x5", "--level", "easy", "-n", "2", "-o", "folder/p.pdf"],
        ["puzzle", "4x5", "--level", "any", "--seed", "4", "--output=folder/p.pdf"],
        ["puzzle", "worksheet", "5x5", "-o", "folder/p.svg", "--kind", "wrong-move"],
        ["puzzle", "today", "-o", "folder/p.pdf"],
        ["puzzle", "today", "2026-12-24", "-o", "folder/p.pdf"],
    ],
    ids=" ".join,
)
def test_sheet_contains_its_command(words, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    assert run(*words)[0] == 0
    (first, *_) = sorted((tmp_path / "folder").iterdir())
    program, *again = shlex.split(origin_of(first.read_bytes()) or "")
    assert program == "knightstour" and not any("folder" in word for word in again)
    assert run(*again)[0] == 0
    assert (tmp_path / first.name).read_bytes() == first.read_bytes()
