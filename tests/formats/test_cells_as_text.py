"""Tests of tours of cells as text: names, layers, and formats without cells."""

import pytest

import knightstour as kt
from knightstour.core.formats.tours import format_tour, parse_tours
from knightstour.core.model.board import square_names
from knightstour.core.model.layers import in_layers, layers_of

WORDS = ("2x3x4", "hex:3:king", "tri:5", "2x2x2x3:king")
KEPT = ("grid", "grid0", "algebraic", "json", "tour", "link")


def some_tour(word: str) -> kt.Tour:
    return kt.find_tour(word, seed=1)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("format", KEPT)
def test_written_value_is_read_back(word: str, format: str) -> None:
    tours = [some_tour(word), some_tour(word).reversed()]
    text = format_tour(tours, format)
    assert parse_tours(text) == tours == parse_tours(text, board=word)
    assert "(" not in text


@pytest.mark.parametrize("format", ["squares", "san", "uci", "csv", "xy"])
def test_formats_of_rows_and_columns_refuse_cells(format: str) -> None:
    with pytest.raises(kt.FormatError, match=f"^{format} requires rows and columns; the tri:5 board has"):
        format_tour(some_tour("tri:5"), format)


def test_cells_without_a_word_are_read_with_their_board() -> None:
    board = kt.CellBoard([(0, 0, 1), (1, 0, 0), (1, 3, 3), (1, 2, 1), (2, 1, 1)], moves=["king", "1,2", "0,2"])
    tour = kt.find_tour(board)
    for format in ("grid", "grid0", "algebraic"):
        assert parse_tours(format_tour(tour, format), board=board) == [tour]
    assert str(tour).count(".") == 3 * 4 * 4 - 5


def test_diagram_shows_layers_side_by_side_and_hexagons_staggered() -> None:
    tour = kt.Tour.from_array([0, 3, 4, 1, 2, 5, 11, 8, 7, 10, 9, 6], "2x2x3:king")
    assert str(tour) == " 1  4  5    12  9  8\n 2  3  6    11 10  7"
    hexagon = kt.Board("hex:2:king")
    assert hexagon is not None
    assert in_layers(hexagon, "abcdefg") == ["  a   b", "c   d   e", "  f   g"]
    assert in_layers(hexagon, ["10"] * 7)[:2] == ["  10  10", "10  10  10"]


@pytest.mark.parametrize("across", [1, 2, 3, 6])
def test_layers_are_read_however_many_are_side_by_side(across: int) -> None:
    tour = some_tour("6x3x3:king")
    cells = tour.board
    sheet, numbers = layers_of(cells, across), tour.numbers[0]
    lines = [[""] * 60 for _ in range(int(sheet.lines.max()) + 1)]
    for number, line, half in zip(numbers.tolist(), sheet.lines.tolist(), sheet.halves.tolist(), strict=True):
        lines[line][half // 2] = str(number)
    text = "\n".join(" ".join(line) for line in lines)
    assert parse_tours(f"# board 6x3x3:king\n{text}\n") == [tour]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# board 2x2x3:king\n1 2 3 4 5 6\n7 8 9 10 11\n", "has 12 cells, but these lines have 11 numbers"),
        ("# board 2x2x3:king\n1 2 3 4\n5 6 7 8\n9 10 11 12\n", "these lines are not arranged like the cells of"),
        ("# board 2x2x3:king\na1.1 b1.1 a1.3\n", "a1.3"),
        ("# board 2x2x3:king\n1 2 3 7 8 8\n4 5 6 10 11 12\n", "number 8 is there twice, at b2.2 and c2.2"),
    ],
)
def test_a_text_of_other_cells_is_refused(text: str, said: str) -> None:
    with pytest.raises(kt.KnightsTourError) as caught:
        parse_tours(text)
    assert said in str(caught.value)


def test_cells_far_apart_are_named() -> None:
    far = kt.CellBoard([(0, 0), (0, 500), (0, 1000)], moves=[(0, 500), (0, -500)])
    tour = kt.find_tour(far)
    assert str(tour) in ("a1 sg1 alm1", "alm1 sg1 a1")
    with pytest.raises(kt.FormatError, match="are too far apart for a diagram"):
        format_tour(tour)


@pytest.mark.parametrize(
    ("word", "corner", "top"), [("4x4x4", "a1.4", "a4.1"), ("hex:3", "a1", "c5"), ("tri:4", "a1", "a4")]
)
def test_the_lowest_row_and_the_first_column_are_a1(word: str, corner: str, top: str) -> None:
    board = kt.Board(word)
    cells = board
    assert square_names(cells)[0] == top
    points = cells.points()[-16:] if word == "4x4x4" else cells.points()
    lowest = max(range(len(points)), key=lambda k: (points[k][1], -points[k][0]))
    assert square_names(cells)[len(cells.cells) - len(points) + lowest] == corner


@pytest.mark.parametrize("name", ["a1", "a1.3", "zz1.1", "a1.1.1", "a1.x", "(0, 0, 9)"])
def test_unknown_cell_name_error_lists_known_names(name: str) -> None:
    with pytest.raises(kt.BoardError, match=r"^the board has no cell") as caught:
        kt.Board("2x3x4").square(name)
    assert "a3.1 and d1.2: column, row, layer" in caught.value.help
