"""Tests of the API over a real connection: results equal the library's, and errors are clear."""

import json
import socket
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from helpers.examples import examples
from helpers.served import ask, refused
from helpers.watched import last_view
from knightstour.core.formats.boards import board_from_dict
from knightstour.core.formats.tours import format_tour
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.sentences import moment_record
from knightstour.core.model.tour import Tour
from knightstour.core.model.trace import from_json, replay
from knightstour.interfaces.cli import app
from knightstour.lab.certificates.verify import verify

pytestmark = pytest.mark.processes


# ---------------------------------------------------------------- solve


def test_a_search_that_meets_its_limit_is_undecided(web: httpx.Client) -> None:
    reply = ask(web, "solve", board="8x8", closed=True, method="backtracking", nodes=1000, seed=1)
    assert reply["status"] == "undecided" and "1,000 nodes" in reply["reason"]
    reply = ask(web, "solve", board="8x8", closed=True, method="backtracking", seconds=0.1)
    assert reply["status"] == "undecided" and "0.1 seconds" in reply["reason"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "'board' is missing"),
        ({"board": "8x8", "colour": 1}, "no field 'colour'"),
        ({"board": "8y8"}, "not a board size: '8y8'"),
        ({"board": [1, 2, 3]}, "not a board"),
        ({"board": "61x60"}, "more than the 3,600 squares"),
        ({"board": {"rows": 8}}, "cols are missing"),
        ({"board": {"rows": 8.5, "cols": 8}}, "rows must be a whole number, not 8.5"),
        ({"board": {"rows": 8, "cols": 8, "wrap": "ring"}}, "unknown wrap 'ring'"),
        ({"board": {"rows": 8, "cols": 8, "leaps": [[0, 1]], "moves": "king"}}, "leaps and moves cannot be combined"),
        ({"board": {"rows": 8, "cols": 8, "leaps": [[0, 1], [1, 1]], "leaper": [1, 2]}}, "contradict each other"),
        ({"board": {"rows": 8, "cols": 8, "holes": 3}}, "holes must be a list"),
        ({"board": {"rows": 2, "cols": 2, "holes": ["a1"] * 9}}, "more holes than the 4 squares"),
        ({"board": {"rows": 8, "cols": 8, "graph": {}}}, "a board has no field 'graph'"),
        ({"board": ["0110", "1011"]}, "which sign is a hole: '0', '1'"),
        ({"board": "8x8", "closed": "yes"}, 'closed must be true or false, not "yes"'),
        ({"board": "8x8", "closed": True, "end": "a1"}, "a closed tour has no end"),
        ({"board": "8x8", "start": "j9"}, "square j9 is not on the board"),
        ({"board": "8x8", "method": "merge", "options": {"ties": "roth"}}, "method merge has no option 'ties'"),
        ({"board": "8x8", "options": {"trace": 1}}, "has no option 'trace'"),
        ({"board": "8x8", "method": "warnsdorff", "options": {"ties": "x"}}, "ties"),
        ({"board": "8x8", "method": "portfolio", "workers": 10**6}, "more than the"),
        ({"board": "8x8", "options": []}, "options must be an object"),
        ({"board": {"rows": 8, "cols": 8, "wrap": "torus"}, "method": "explicit"}, "method explicit does not apply"),
        ({"board": "8x8", "seconds": 31}, "seconds must be above 0 and at most 30"),
        ({"board": "8x8", "seconds": "9"}, "seconds must be a number"),
        ({"board": "8x8", "seed": 1.5}, "seed must be a whole number"),
        ({"board": "8x8", "nodes": 0}, "nodes must be at least 1"),
    ],
)  # fmt: skip
def test_invalid_request_returns_an_error_with_its_cause(web: httpx.Client, fields: Any, words: str) -> None:
    assert words in refused(web, "solve", **fields)["error"]


def test_errors_use_command_line_words(web: httpx.Client) -> None:
    reply = refused(web, "solve", board="8x8", method="magic")
    printed = CliRunner().invoke(app.group, ["solve", "8x8", "--method", "magic"])
    error = printed.exception
    assert (reply["error"], reply["note"], reply["help"]) == (str(error), error.note, error.help)  # type: ignore[union-attr]


# ---------------------------------------------------------------- trace


def events_of(answer: httpx.Response) -> list[tuple[str, Any]]:
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = []
    for block in answer.text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_a_trace_has_each_step_and_ends_with_the_answer(web: httpx.Client) -> None:
    question = {"board": "6x6", "method": "warnsdorff", "seed": 3}
    (first, begin), *batches, (last, result) = events_of(web.post("/api/trace", json=question))
    assert (first, last) == ("begin", "result") and {name for name, _ in batches} == {"batch"}
    assert begin == {"rows": 6, "cols": 6, "method": "warnsdorff", "seed": 3}
    rows = [row for _, batch in batches for row in batch]
    events = from_json(row[:4] for row in rows)
    assert len(events) == result["events"] and result["dropped"] == 0
    assert [row[4] if len(row) > 4 else [] for row in rows] == [
        moment_record(event, view) for event, view in zip(events, replay(events, "6x6"), strict=True)
    ]
    assert [list(divmod(s, 6)) for s in last_view(events, "6x6").path] == result["squares"]
    reply = ask(web, "solve", **question)
    assert result["squares"] == reply["squares"] and result["nodes"] == reply["nodes"]


def test_full_trace_still_ends_with_the_tour(web: httpx.Client) -> None:
    answer = web.post("/api/trace", json={"board": "8x8", "method": "warnsdorff", "seed": 3, "events": 10})
    *batches, (_, result) = events_of(answer)[1:]
    events = from_json(row[:4] for _, batch in batches for row in batch)
    assert len(events) == 11 and events[-1].kind == "tour"
    assert [list(divmod(s, 8)) for s in events[-1].squares] == result["squares"]


def test_trace_of_invalid_problem_is_an_error(web: httpx.Client) -> None:
    assert "no field" in refused(web, "trace", board="8x8", most=1)["error"]
    assert "events must be from 1 to 100,000" in refused(web, "trace", board="8x8", events=10**6)["error"]


# ---------------------------------------------------------------- can it still be finished?


def test_a_path_that_can_be_finished_is_finished(web: httpx.Client) -> None:
    for closed in (False, True):
        reply = ask(web, "completable", board="6x6", path=["a1", "b3", "c5"], closed=closed)
        assert reply["answer"] == "yes"
        tour = Tour("6x6", reply["squares"])
        assert tour.squares[:3].tolist() == [[5, 0], [3, 1], [1, 2]]
        assert tour.is_closed or not closed
        # Of the cells of a hexagon (0, 0) is a label, too: that of its middle, the fourth.
        assert ask(web, "completable", board="hex:2:king", path=[0], closed=closed)["squares"][0] == [0, 0]


@examples(40)
@given(
    st.sampled_from(
        [
            *("3x4", "4x4", "5x5", "hex:2:king", "tri:4", "2x2x3:king", "2x3x4"),
            *(".....\n.....\n..#..\n.....\n.....", {"rows": 3, "cols": 4, "wrap": "torus"}),
        ]
    ),
    st.booleans(),
    st.lists(st.integers(0, 7), max_size=9),
    st.data(),
)
def test_whether_a_path_can_be_finished_is_right(
    web: httpx.Client, shape: Any, closed: bool, picks: list[int], data: st.DataObject
) -> None:
    board = Board.from_text(shape) if "\n" in shape else board_from_dict(shape) if "rows" in shape else Board(shape)
    near = move_graph(board).neighbour_lists()
    path = [data.draw(st.sampled_from(move_graph(board).squares.tolist()))]
    for pick in picks:
        free = [s for s in near[path[-1]] if s not in path]
        if free:
            path.append(free[pick % len(free)])
    end = None
    if not closed and data.draw(st.booleans()):
        end = data.draw(st.sampled_from(move_graph(board).squares.tolist()))
        end = None if end == path[0] else list(divmod(end, board.cols))
    reply = ask(web, "completable", board=shape, path=path, closed=closed, end=end)
    goal = None if end is None else end[0] * board.cols + end[1]
    assert reply["answer"] == ("yes" if can_be_finished(near, path, len(board), closed, goal) else "no")
    if reply["squares"] is not None:
        tour = Tour(board, reply["squares"])
        assert tour.order[: len(path)].tolist() == path and (tour.is_closed or not closed)
        assert goal is None or tour.order[-1] == goal


def can_be_finished(near: list[list[int]], path: list[int], count: int, closed: bool, end: int | None) -> bool:
    """Decide by trying everything."""
    if len(path) == count:
        return (not closed or (count > 2 and path[0] in near[path[-1]])) and end in (None, path[-1])
    if end is not None and end in path:
        return False
    return any(can_be_finished(near, [*path, s], count, closed, end) for s in near[path[-1]] if s not in path)


def test_wrong_path_error_names_the_place(web: httpx.Client) -> None:
    reply = refused(web, "completable", board="8x8", path=["a1", "b3", "b4"])
    assert reply["step"] == 2 and "b3 to b4 is not a knight's move" in reply["error"]
    assert refused(web, "completable", board="8x8", path=["a1", "b3", "a1"])["step"] == 2
    assert "no square is visited" in refused(web, "completable", board="8x8", path=[])["error"]


# ---------------------------------------------------------------- check, facts, moves, compare


@pytest.mark.parametrize("board", ["4x8", "3x8", "6x6"])
def test_an_answer_comes_with_its_certificate(web: httpx.Client, board: str) -> None:
    certificate = ask(web, "solve", board=board, closed=True, proof=True)["certificate"]
    assert verify(certificate).verdict.value == "right"
    certificate["board"]["cols"] += 2
    assert verify(certificate).verdict.value == "wrong"


def test_best_tour_has_a_certificate_if_possible(web: httpx.Client) -> None:
    asked = {"board": "5x6", "closed": True, "optimal": True, "proof": True}
    certificate = ask(web, "solve", maximize="flat-up", **asked)["certificate"]
    assert verify(certificate).verdict.value == "right" and certificate["value"] == 8
    assert "there is no certificate for minimize turns" in refused(web, "solve", minimize="turns", **asked)["error"]


def test_proof_under_conditions_has_scenes_and_a_certificate(web):
    for asked in ({"forbid": ["a1-b3"]}, {"symmetry": "90"}):
        answer = ask(web, "solve", board="8x8", closed=True, proof=True, **asked)
        assert answer["status"] == "impossible" and answer["scenes"]
        assert verify(answer["certificate"]).verdict.value == "right"
    answer = ask(web, "solve", board="8x8", closed=True, proof=True, given={"a1": 1, "c1": 4})
    assert answer["status"] == "impossible" and [scene["title"] for scene in answer["scenes"]] == ["The given numbers"]
    assert verify(answer["certificate"]).verdict.value == "unchecked"


def test_a_proof_comes_with_its_scenes(web):
    answer = ask(web, "solve", board="3x8", closed=True, proof=True)
    assert [scene["title"] for scene in answer["scenes"]] == ["Forced moves", "Too many pieces"]
    assert answer["scenes"][1]["marks"][0]["role"] == "removed"
    assert "scenes" not in ask(web, "solve", board="6x6", proof=True)


TOUR = Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
GRID = format_tour(TOUR)


def test_squares_are_checked_too(web: httpx.Client) -> None:
    assert ask(web, "check", board="3x4", squares=TOUR.order.tolist())["valid"]
    reply = ask(web, "check", board="3x4", squares=TOUR.labels[:-1])
    assert reply["tours"][0]["step"] == 11 and "only 11 of 12" in reply["tours"][0]["fault"]


def test_text_is_never_read_as_a_file_name(web: httpx.Client, tmp_path: Any) -> None:
    (tmp_path / "tour.txt").write_text(GRID)
    assert "unknown format: it begins with" in refused(web, "check", text=str(tmp_path / "tour.txt"))["error"]
    assert "not a board size" in refused(web, "solve", board=str(tmp_path / "tour.txt"))["error"]
    assert "no text format 'npy'" in refused(web, "check", text=GRID, format="npy")["error"]


def test_long_reports_show_the_first_tours(web: httpx.Client) -> None:
    reply = ask(web, "check", text="\n".join([GRID] * 101))
    assert len(reply["tours"]) == 100 and reply["more"]


def test_the_facts_of_a_tour(web: httpx.Client) -> None:
    reply = ask(web, "facts", board="3x4", squares=TOUR.squares.tolist())
    assert reply == {
        "board": "3x4", "rows": 3, "cols": 4, "closed": False, "start": "a3", "end": "d1",
        "symmetry": TOUR.symmetry, "symmetry_name": TOUR.symmetry_name,
        "symmetries": list(TOUR.symmetries), "turns": TOUR.turns, "crossings": TOUR.crossings, "magic": "no",
    }  # fmt: skip


def test_moves_are_listed_for_each_square(web: httpx.Client) -> None:
    reply = ask(web, "moves", board={"rows": 3, "cols": 4, "holes": [[0, 0]], "wrap": "torus"})
    board = Board(3, 4, holes=[(0, 0)], wrap="torus")
    assert reply["moves"][0] is None
    assert reply["moves"][1:] == move_graph(board).neighbour_lists()[1:]


@pytest.mark.parametrize(
    "piece", [{"moves": "king"}, {"leaps": [[1, 1], [0, 1]]}, {"leaps": [[0, 1], [1, 1]], "moves": None}]
)
def test_a_piece_is_given_by_its_name_or_its_leaps(web: httpx.Client, piece: dict[str, Any]) -> None:
    reply = ask(web, "moves", board={"rows": 3, "cols": 4, **piece})
    assert reply["moves"] == move_graph(Board("3x4:king")).neighbour_lists()
    found = ask(web, "solve", board={"rows": 4, "cols": 4, **piece}, closed=True)
    assert Tour(Board("4x4:king"), [tuple(square) for square in found["squares"]]).is_closed


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize(
    ("format", "type", "mark"),
    [
        ("svg", "image/svg+xml", b"<svg "),
        ("png", "image/png", b"\x89PNG"),
        ("gif", "image/gif", b"GIF89a"),
        ("grid", "text/plain; charset=utf-8", GRID.encode()),
        ("json", "application/json", format_tour(TOUR, "json").encode()),
    ],
)
def test_a_tour_is_drawn_in_every_format(web: httpx.Client, format: str, type: str, mark: bytes) -> None:
    answer = web.post("/api/draw", json={"board": "3x4", "squares": TOUR.squares.tolist(), "format": format})
    assert answer.status_code == 200 and answer.headers["content-type"] == type
    assert answer.content.startswith(mark)


def test_boards_and_paths_are_drawn_too(web: httpx.Client) -> None:
    for fields in ({}, {"squares": ["a1", "b3"]}, {"style": "line", "numbers": 5}):
        assert web.post("/api/draw", json={"board": "5x5", **fields}).text.startswith("<svg ")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"format": "bmp"}, "no format 'bmp'"),
        ({"format": "npy"}, "no format 'npy'"),
        ({"format": "grid"}, "there are no squares"),
        ({"format": "gif", "squares": ["a1"]}, "only a whole tour"),
        ({"style": "cubist"}, "unknown style 'cubist'"),
        ({"numbers": [1]}, "numbers must be true or false or a whole number"),
        ({"siz": 3}, "no field 'siz'"),
        ({"format": "png", "size": 10**6}, "size must be from 1 to 4,000"),
        ({"squares": ["a1", "a2"]}, "not a knight's move"),
    ],
)
def test_impossible_picture_returns_an_error_with_the_reason(web: httpx.Client, fields: Any, words: str) -> None:
    assert words in refused(web, "draw", board="3x4", **fields)["error"]


# ---------------------------------------------------------------- the guard

_GOOD = {"board": "3x4", "path": ["a1"], "squares": [], "number": "1"}


@pytest.mark.parametrize(
    ("headers", "body", "status", "words"),
    [
        ({"content-type": "text/plain"}, b"{}", 415, "must be JSON"),
        ({}, b"{}", 415, "must be JSON"),
        ({"content-type": "application/json"}, b"{", 400, "not JSON"),
        ({"content-type": "application/json"}, b"[1]", 400, "not a JSON object"),
        ({"content-type": "application/json"}, b"\xff", 400, "not JSON"),
        ({"content-type": "application/json"}, b'{"seconds": NaN}', 400, "invalid number: NaN"),
        ({"content-type": "application/json"}, b"[" * 100_000, 400, "nested too deeply"),
        ({"content-type": "application/json"}, b'{"seed": ' + b"9" * 5000 + b"}", 400, "not JSON"),
        (
            {"content-type": "application/json"},
            b'{"board": "5x5", "nodes": ' + b"9" * 400 + b', "start": "zz"}',
            400,
            "zz",
        ),
        (
            {"content-type": "application/json"},
            b'{"board": "5x5", "nodes": -' + b"9" * 400 + b"}",
            400,
            "nodes must be",
        ),
        ({"content-type": "application/json"}, b'{"board": "5x5", "seconds": ' + b"9" * 400 + b"}", 400, "at most 30"),
        ({"content-type": "application/json"}, b'{"board": "5x5", "board": "6x6"}', 400, "'board' comes twice"),
        ({"content-type": "application/json"}, b'{"board": "5x5", "Closed": true}', 400, "did you mean 'closed'?"),
        ({"content-type": "application/json; charset=utf-8"}, b" " * 2_000_001, 413, "larger than 2,000,000 bytes"),
    ],
)
def test_unreadable_body_returns_an_error_with_the_reason(
    web: httpx.Client, headers: dict[str, str], body: bytes, status: int, words: str
) -> None:
    answer = web.post("/api/solve", content=body, headers=headers)
    assert answer.status_code == status and words in answer.json()["error"]


def test_rejects_oversized_body_before_it_is_sent(web: httpx.Client) -> None:
    url = web.base_url
    for length in ("20000001", "9" * 30):
        with socket.create_connection((url.host, url.port), timeout=1200) as line:
            head = f"POST /api/solve HTTP/1.1\r\nHost: {url.host}:{url.port}\r\nContent-Type: application/json\r\n"
            line.sendall(f"{head}Content-Length: {length}\r\n\r\n{{".encode())
            answer = line.recv(4096)
            assert b" 413 " in answer.splitlines()[0] or b" 400 " in answer.splitlines()[0]


def test_unknown_paths_return_json_errors(web: httpx.Client) -> None:
    for answer, status in (
        (web.get("/api/solve"), 405),
        (web.delete("/api/solve"), 405),
        (web.post("/api/nonsense", json={}), 404),
        (web.get("/nonsense.js"), 404),
        (web.get("/../server.py"), 404),
        (web.get("/%2e%2e/server.py"), 404),
    ):
        assert answer.status_code == status and answer.json()["error"]


def test_the_files_of_the_page_are_served_with_their_types(web: httpx.Client) -> None:
    page = web.get("/")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    assert page.headers["cache-control"] == "no-store"
    head = web.head("/")
    assert head.status_code == 200 and not head.content and head.headers["content-length"] == str(len(page.content))
    assert web.get("/app.js").headers["content-type"].startswith("text/javascript")
    assert web.get("/style/board.css").headers["content-type"].startswith("text/css")
