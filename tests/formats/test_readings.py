"""Tests of informal notations of tours: read correctly, and never as another tour."""

import io
import json
import random
import re
from functools import cache, partial

import numpy as np
import pytest

from helpers.examples import mostly_long
from helpers.kept_forms import ALONE, CLOSED_FORMS, FORMS, SQUARE_FORMS
from knightstour import (
    FormatError,
    InvalidTour,
    KnightsTourError,
    Tour,
    check,
    find_tour,
    parse_tours,
)
from knightstour.core.formats.readings.table import READINGS, read_loosely
from knightstour.core.formats.tours import format_tour, read_board, read_boards, read_candidates
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board, with_remarks

BOARDS = [((3, 4), False), ((4, 5), False), ((5, 5), False), ((5, 6), True), ((6, 6), True), ((8, 8), True)]
BOARDS += [((8, 8), False), ((3, 10), True), ((10, 12), True), ((12, 7), False)]


@cache
def tours() -> list[Tour]:
    return [find_tour(board, closed=closed, seed=seed) for seed, (board, closed) in enumerate(BOARDS)]


EXACT = {
    name: partial(format_tour, format=name)
    for name in ("grid", "grid0", "squares", "algebraic", "san", "uci", "csv", "json", "xy", "tour")
}


def forms_of(tour: Tour) -> dict:
    forms = dict(FORMS)
    forms |= CLOSED_FORMS if tour.is_closed else {}
    return forms | (SQUARE_FORMS if tour.board.rows == tour.board.cols else {})


@pytest.mark.parametrize("count", mostly_long([4, len(BOARDS)], 1))
@pytest.mark.parametrize("form", [*FORMS, *CLOSED_FORMS, *SQUARE_FORMS])
def test_a_tour_is_read_as_it_was_meant(form, count):
    chosen = [tour for tour in tours()[:count] if form in forms_of(tour)]
    assert chosen and [parse_tours(forms_of(tour)[form](tour)) for tour in chosen] == [[tour] for tour in chosen]


@pytest.mark.parametrize("form", sorted(FORMS.keys() - ALONE))
def test_several_tours_with_empty_lines_between_them_are_read(form):
    for tour in (tours()[2], tours()[3]):
        several = [tour, tour.rotated(180), tour.reflected()]
        assert parse_tours("\n\n".join(FORMS[form](each) for each in several)) == several


@pytest.mark.parametrize("row", READINGS, ids=lambda row: row.name)
def test_example_of_a_reading_is_read_with_its_note(row):
    found = read_loosely(row.example, None)
    assert found is not None and found.is_whole and found.read_as
    assert len(parse_tours(row.example)) == 1


# ---------------------------------------------------------------- spoilt inputs


def spoilt(text: str, chance: random.Random) -> str:
    """Change, exchange, repeat or delete a step, or delete a line."""
    words = [match.span() for match in re.finditer(r"[A-Za-z]*\d+", text)]
    how = chance.choice(["exchanged", "line lost", "doubled", "changed", "deleted"])
    lines = text.split("\n")
    # A heading may say which number is the column.
    full = [k for k, line in enumerate(lines) if re.search(r"\d", line)]
    if how == "line lost" and len(full) > 2:
        del lines[chance.choice(full)]
        return "\n".join(lines)
    (a, b), (c, d) = sorted(chance.sample(words, 2))
    if how == "exchanged":
        return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
    if how == "changed":
        return text[:a] + text[c:d] + text[b:]
    if how == "deleted":
        return text[:a] + text[b:]
    return text[:b] + " " + text[a:b] + text[b:]


@pytest.mark.parametrize(
    ("seed", "count"), [(0, 100), *(pytest.param(k, 1500, marks=pytest.mark.long) for k in range(10, 21))]
)
def test_a_spoilt_tour_is_never_called_another_tour(seed: int, count: int) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        tour = chance.choice(tours())
        form, write = chance.choice([*forms_of(tour).items(), *EXACT.items()])
        text = spoilt(write(tour), chance)
        try:
            found = parse_tours(text)
        except KnightsTourError:
            continue
        # What was lost or doubled may have been a heading, or the first square that comes again at the end; and
        # with two squares exchanged it may be another tour that the text says.
        assert found == [tour] or is_said(found, tour), f"{form}: {text}"


def is_said(found: list[Tour], tour: Tour) -> bool:
    """Whether a tour was found that equals this one up to two exchanged squares or a rotation."""
    if len(found) != 1 or found[0].board != tour.board:
        return False
    rounds = (np.roll(tour.order, k) for k in range(len(tour))) if tour.is_closed else ()
    return (found[0].order != tour.order).sum() == 2 or any((found[0].order == each).all() for each in rounds)


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("[[ 0 21 ... 11 2]\n [15 10 ... 24 17]]", "truncated: '...' replaces numbers", "complete"),
        ("[[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]", "truncated", ""),
        ("knights are fine animals", "unknown format: it begins with", "formats:"),
        ("# board 3x4 leaper 1\n1 4 7 10\n8 11 2 5\n3 6 9 12\n", "not a board", "# board 4x5:2,3:torus:-a1"),
    ],
)
def test_rejects_unreadable_input_with_the_reason(text, message, help):
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        parse_tours(text)
    assert help in caught.value.help


def test_the_fault_is_told_in_the_reading_that_comes_nearest():
    tour = tours()[5]
    names = [str(name) for name in tour.labels]
    names[30], names[40] = names[40], names[30]
    with pytest.raises(InvalidTour, match=rf"step 30 \(number 31\): {names[29]} to {names[30]} is not a knight's move"):
        parse_tours(" -> ".join(names))
    (found,) = read_candidates(io.StringIO(" -> ".join(names)))
    assert found.tour is None and found.fault is not None and found.fault.step == 30


def test_alternatives_for_board_and_format_are_reported():
    tour = tours()[3]
    text = " ".join(f"({r + 1},{c + 1})" for r, c in tour)
    with pytest.raises(KnightsTourError) as caught:
        parse_tours(text, board=(6, 6))
    assert caught.value.help.startswith(
        "without the 6x6 board it is a closed tour of the 5x6 board (pairs counted from 1"
    )
    with pytest.raises(KnightsTourError) as caught:
        parse_tours(text, "squares")
    assert caught.value.help.startswith("without the name of the format it is a closed tour of the 5x6 board")


# ---------------------------------------------------------------- the same numbers, the same answer


def results_of_all_readers(grid: list[list[object]], board: Board | None = None) -> set[str]:
    """Return the results of all readers of a diagram: the tour as text, or the kind of error."""

    def said(read) -> str:
        try:
            return str(read())
        except InvalidTour:
            return "invalid"
        except FormatError:
            return "invalid"

    def checked(values) -> str:
        report = check(values, board=board)
        if report.faults:
            raise report.faults[0].error
        return str(Tour.from_array(values, board=board))

    def from_file() -> str:
        file = io.BytesIO()
        np.save(file, np.array(grid))
        file.seek(0)
        return "".join(map(str, (candidate.tour or "invalid" for candidate in read_candidates(file, board=board))))

    text = "\n".join(" ".join("." if x == -1 else str(x) for x in row) for row in grid)
    found = {
        said(lambda: Tour.from_array(grid, board=board)),
        said(lambda: Tour.from_array(np.array(grid), board=board)),
        said(lambda: checked(grid)),
        said(lambda: checked(np.array(grid))),
        said(lambda: parse_tours(text, board=board)[0]),
        said(lambda: parse_tours(str(grid), board=board)[0]),
        said(from_file),
    }
    return found


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("k", range(4))
def test_lists_arrays_files_and_texts_give_equal_answers(first, k):
    tour = tours()[k]
    grid = (tour.numbers - 1 + first).tolist()
    assert results_of_all_readers(grid) == {str(tour)}
    assert results_of_all_readers(grid, tour.board) == {str(tour)}
    grid[0][0], grid[1][1] = grid[1][1], grid[0][0]
    assert results_of_all_readers(grid) == {"invalid"}
    assert results_of_all_readers(grid, tour.board) == {"invalid"}


def test_step_after_zero_is_wrong_with_help():
    holed = Board(5, 5, holes=["a1"])
    tour = find_tour(holed, start="c3")
    grid = tour.numbers.tolist()
    assert results_of_all_readers(grid) == {"invalid"}
    with pytest.raises(InvalidTour, match=r"step 1 \(number 2\): a1 to c3 is not a knight's move") as caught:
        Tour.from_array(grid)
    assert caught.value.help == ("if the 0 marks a hole, give the board: FILE 5x5:-a1, or board='5x5:-a1'")
    assert results_of_all_readers(grid, holed) == {str(tour)}


def test_several_zeros_and_empty_cells_are_holes():
    board = Board(4, 4, holes=[(0, 0), (0, 3), (3, 0), (3, 3)])
    tour = find_tour(board, closed=True)
    grid = tour.numbers.tolist()
    assert results_of_all_readers(grid) == {str(tour)}
    none = [[None if x == 0 else x for x in row] for row in grid]
    floats = np.where(tour.numbers == 0, np.nan, tour.numbers.astype(float))
    masked = np.ma.masked_equal(tour.numbers, 0)
    marks = [["x" if x == 0 else str(x) for x in row] for row in grid]
    for values in (none, floats, masked, marks, np.where(tour.numbers == 0, -1, tour.numbers)):
        assert Tour.from_array(values) == tour
    assert check(floats).is_valid and check(masked).is_valid
    printed = "\n".join(" ".join(f"{number}.0" for number in row) for row in tours()[2].numbers.tolist())
    assert check(io.StringIO(printed)).is_valid


@pytest.mark.parametrize("count", [23, 20, 12, 5])
def test_zero_in_open_diagram_requires_a_choice_at_every_interface(count):
    tour = find_tour("5x5", seed=1)
    whole = tour.numbers
    grid = np.where(whole <= count, whole, 0)
    assert results_of_all_readers(grid.tolist()) == {"invalid"}
    assert results_of_all_readers(grid.tolist(), tour.board) == {"invalid"}
    with pytest.raises(InvalidTour, match=f"only {count} of 25 squares have a number, and 0 is on the others"):
        parse_tours("\n".join(" ".join(map(str, row)) for row in grid.tolist()))
    holed = Board(5, 5, holes=[tuple(square) for square in np.argwhere(grid == 0).tolist()])
    assert results_of_all_readers(grid.tolist(), holed) == {str(Tour.from_array(grid, board=holed))}


@pytest.mark.parametrize("mark", [".", "#", "-", "_", "x", "X", "*", "None", "null", "nan", "--", "-1"])
def test_marks_of_holes_in_texts(mark):
    board = Board(4, 4, holes=[(0, 0), (0, 3), (3, 0), (3, 3)])
    # What programs write where they have not been is a hole where the tour is closed, and so no search that stopped.
    tour = find_tour(board, closed=len(mark) > 1)
    rows = [[mark if x == 0 else str(x) for x in row] for row in tour.numbers.tolist()]
    assert parse_tours("\n".join(" ".join(row) for row in rows)) == [tour]
    assert parse_tours("\n".join("| " + " | ".join(row) + " |" for row in rows)) == [tour]


def test_empty_cells_are_holes():
    board = Board(4, 4, holes=[(0, 0), (0, 3), (3, 0), (3, 3)])
    tour = find_tour(board)
    rows = [["" if x == 0 else str(x) for x in row] for row in tour.numbers.tolist()]
    for text in (
        "\n".join("|" + "|".join(row) + "|" for row in rows),
        "\n".join(",".join(row) for row in rows),
        "\n".join(" ".join(word.rjust(2) for word in row) for row in rows),
    ):
        assert parse_tours(text) == [tour], text


def test_small_byte_array_is_a_diagram(tmp_path):
    tour = tours()[5]
    path = tmp_path / "t.npy"
    np.save(path, (tour.numbers - 1).astype(np.uint8))
    assert check(path) == check(tour.numbers - 1)
    assert check(path).closed_count == 1


def test_short_rows_that_fit_no_tour_are_not_a_diagram():
    order = tours()[2].order.tolist()
    moves = [f"{a} {b}" for a, b in zip(order, order[1:], strict=False)]
    for lines in ([*moves[:5], "3 9", *moves[6:]], [f"{a} {min(k, 20)}" for k, a in enumerate(order)]):
        with pytest.raises(FormatError, match="not a diagram, and not a list"):
            parse_tours("\n".join(lines))
    steps = [f"{r} {c} {k}" for k, (r, c) in enumerate(tours()[2].squares.tolist())]
    with pytest.raises(InvalidTour, match="two squares have the number 3, at line 4"):
        parse_tours("\n".join([*steps[:5], steps[5][:-1] + "3", *steps[6:]]))
    assert check(np.column_stack([tours()[2].squares, np.arange(25)])).is_valid


def test_rejects_dict_of_steps_with_help():
    with pytest.raises(TypeError, match="no order of squares"):
        Tour("5x5", {(0, 0): 2, (1, 2): 1})


def test_pairs_and_square_numbers_in_arrays_may_start_at_1():
    tour = tours()[5]
    for array in (tour.squares + 1, np.concatenate([tour.squares, tour.squares[:1]]), tour.order, tour.order + 1):
        report = check(array)
        assert report.is_valid and report.closed_count == 1
    assert check(tour.squares + 1).read_as == ("pairs counted from 1",)


# ---------------------------------------------------------------- the exact forms stay as they were


def test_exact_formats_are_read_without_a_note():
    for name in ("grid", "squares", "algebraic", "san", "uci", "csv", "json", "xy"):
        text = format_tour([tours()[5], tours()[5]], name)
        assert [found.read_as for found in read_candidates(io.StringIO(text))] == [(), ()]


def test_moves_of_a_game_and_of_an_engine_are_written():
    tour = tours()[0]
    names = [str(name) for name in tour.labels]
    assert format_tour(tour, "san") == " ".join("N" + name for name in names) + "\n"
    assert format_tour(tour, "uci").split()[:2] == [names[0] + names[1], names[1] + names[2]]
    assert parse_tours("1. " + format_tour(tour, "san"), "san") == [tour]
    with pytest.raises(FormatError, match="'a1b3' is not a move such as a1b3, from where the last one ended"):
        parse_tours("d1b2 a1b3", "uci")


def test_two_zeros_at_the_ends_are_not_holes():
    tour = next(tour for tour in tours() if not tour.is_closed and len(tour) == 20)
    grid = tour.numbers - 1
    grid[grid == 19] = 0
    assert results_of_all_readers(grid.tolist()) == {"invalid"}
    with pytest.raises(InvalidTour, match="only 18 of 20 squares have a number, and 0 is on the others") as caught:
        Tour.from_array(grid)
    assert "write '.' or -1 for holes" in str(caught.value.help)
    closed = next(tour for tour in tours() if tour.is_closed).numbers - 1
    closed[closed == closed.max()] = 0
    assert results_of_all_readers(closed.tolist()) == {"invalid"}


# ---------------------------------------------------------------- how a file was read


LOOPED = "a b\nb c\nc a\nb b\na b\n"
SAID = ("1 loop is omitted: a tour never stays on a node", "1 edge is listed again, and counted once")


def test_board_stores_how_it_was_read():
    board = read_board(io.StringIO(LOOPED), "edges")
    assert board.read_as == SAID
    assert solve(board, closed=True).to_dict()["read_as"] == list(SAID)
    assert read_board(io.StringIO("a b\nb c\nc a\n")).read_as == ("read as a graph: 3 nodes, 3 moves",)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("hello world\n", "read as a graph: 2 nodes, 1 move"),
        ("a b\nb c\nc a\n", "read as a graph: 3 nodes, 3 moves"),
        ("1: 2 3\n2: 1\n3: 1\n", "read as a graph: 3 nodes, 2 moves"),
        ("a -> b\nb -> c\nc -> a\na -> c\n", "read as a graph: 3 nodes, 4 moves"),
    ],
)
def test_guessed_lists_are_reported(text: str, note: str, tmp_path) -> None:
    is_directed = "->" in text
    assert note in Board.from_file(io.StringIO(text), directed=is_directed).read_as
    path = tmp_path / "list.txt"
    path.write_text(text)
    assert note in Board.from_file(path, directed=is_directed).read_as
    # A named format, and the package's own files, are not guessed.
    path = tmp_path / "list.edges"
    path.write_text(text)
    assert is_directed or note not in Board.from_file(path).read_as
    Board(3, 4).save(tmp_path / "own.txt", "edges")
    assert Board.from_file(tmp_path / "own.txt").read_as == ()


def test_comments_are_not_part_of_the_board():
    board = Board(3, 4)
    noted = with_remarks(board, ["a", "b", "a"])
    assert noted.read_as == ("a", "b") and board.read_as == ()
    assert noted == board and hash(noted) == hash(board)
    assert with_remarks(noted, ["b", "c"]).read_as == ("a", "b", "c")
    assert "read_as" not in solve(board).to_dict()


def test_each_graph_of_a_file_has_its_own_remarks():
    # The middle one has a loop at its first node.
    boards = list(read_boards(io.StringIO(":Bc\n:B_\n:Bc\n")))
    assert [len(board.read_as) for board in boards] == [0, 1, 0]


def test_command_line_reports_on_stderr_and_in_json(tmp_path, run):

    (tmp_path / "a.edges").write_text(LOOPED)
    path = f"edges:{tmp_path / 'a.edges'}"
    for command in (["solve", path, "--closed"], ["facts", path], ["convert", path, "--format", "graph6"]):
        code, out, err = run(*command)
        assert code == 0 and "left out" not in out
        assert [line for line in err.splitlines() if "loop" in line] == [f"note: {SAID[0]}"]
        if command[0] != "convert":
            command = [*command, "--json"]
            assert json.loads(run(*command)[1])["read_as"] == list(SAID)
    assert json.loads(run("convert", path, "--json")[1])["read_as"] == list(SAID)


def test_error_names_the_unused_column_of_a_list() -> None:
    names = ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]
    rows = [f"| {k} | {a} | {b} | {10 * k} |" for k, (a, b) in enumerate(zip(names, names[1:], strict=False), 1)]
    with pytest.raises(FormatError, match="a list of squares by name, but '10' in column 17 is unused") as caught:
        parse_tours("Path of the knight:\n| Step | Square | Next | Cost |\n" + "\n".join(rows))
    assert caught.value.line == 3 and "omit the rest" in caught.value.help


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("RRDLLDRR", "3x3:wazir"),
        ("r r d l l d r r", "3x3:wazir"),
        ("EESWWSEE", "3x3:wazir"),
        ("UUURDDDRUUU\n", "4x3:wazir"),
        ("R, R, R,\nD, L, L, L", "2x4:wazir"),
    ],
)
@pytest.mark.parametrize("is_given", [False, True])
def test_reads_a_path_from_the_directions_of_its_steps(text: str, board: str, is_given: bool) -> None:
    (tour,) = parse_tours(text, board=board if is_given else None)
    assert tour.board == Board(board)
    (row, col), (next_row, next_col) = tour.squares[0], tour.squares[1]
    assert {"R": (0, 1), "E": (0, 1), "U": (-1, 0)}[text[0].upper()] == (next_row - row, next_col - col)


def test_rejects_directions_that_miss_a_square() -> None:
    with pytest.raises(InvalidTour, match="only 8 of 9 squares are visited; c1 is not"):
        parse_tours("RRDLLDR")


@pytest.mark.parametrize("size", [(3, 3), (4, 3), (5, 3), (4, 2), (5, 5), (2, 4)])
@pytest.mark.parametrize("form", ["grid", "csv", "lists", "array"])
def test_diagram_of_another_piece_is_not_a_square_list(size: tuple[int, int], form: str) -> None:
    rows, cols = size
    numbers = np.arange(1, rows * cols + 1).reshape(size)
    numbers[1::2] = numbers[1::2, ::-1]
    texts = {"grid": " ", "csv": ","}
    if form in texts:
        given = "\n".join(texts[form].join(map(str, row)) for row in numbers.tolist())
    else:
        given = str(numbers.tolist()) if form == "lists" else numbers
    (fault,) = check(io.StringIO(given) if isinstance(given, str) else given).faults
    assert str(fault.error).endswith("it is a tour of the wazir") and f"{rows}x{cols}:wazir" in fault.error.help
