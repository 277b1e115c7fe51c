"""Tests of common options: --json and --format, and equal results in Python, on the command line and by the API."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import click
import pytest

import knightstour as kt
from knightstour.interfaces.cli.app import all_commands
from knightstour.interfaces.web import api

# A question to each command that answers something, and fields that every object of its answer has.
ASKED: Mapping[str, tuple[str, str]] = {
    "solve": ("solve 5x6 --closed", "rows cols closed status squares"),
    "check": ("check tours.txt", "tour valid board rows cols closed start end"),
    "estimate": ("estimate 5x6 --samples 400 --seed 1", "rows cols closed mean standard_error"),
    "examples": ("examples flower:n=5", "name is_hamiltonian"),
    "convert": ("convert tours.txt", "rows cols closed squares"),
    "measure": ("measure tours.txt", "number turns"),
    "improve": ("improve tours.txt --timeout 0.1", "before after seed rows cols closed squares"),
    "explain": ("explain warnsdorff", "word"),
    "facts": ("facts 5x6", "rows cols facts closed open"),
    "compare": ("compare 5x6 --methods warnsdorff --seeds 1", "board closed seeds rows"),
    "sample": ("sample 5x6 -n 3 --seed 1", "tours rows cols closed seed"),
    "enumerate": ("enumerate 5x6 --closed", "rows cols closed squares"),
    "count": ("count 5x6 --closed", "rows cols closed count"),
    "census": ("census 5x6 --closed --by turns", "rows cols closed statistic values"),
    "oeis list": ("oeis list", "number title offset terms"),
    "oeis find": ("oeis find 6x6 --closed", "number n"),
    "oeis check": ("oeis check A123936", "number"),
    "oeis extend": ("oeis extend A175855 --first 1 --last 2", "counted"),
    "rank": ("rank tours.txt", "rows cols closed number count"),
    "unrank": ("unrank 5x6 1..3 --closed", "rows cols closed number count squares"),
    "puzzle make": ("puzzle make 5x5 --seed 1", "board closed given level seed"),
    "puzzle today": ("puzzle today 2026-11-30", "board closed given level seed"),
    "puzzle solve": ("puzzle solve puzzle.txt", "status"),
    "puzzle check": ("puzzle check puzzle.txt", "status"),
}
# The other commands, and why they have no --json.
NO_JSON = {
    "draw": "its answer is a picture",
    "serve": "the server's own answers are JSON",
    "cache": "prints a line",
    "puzzle": "has commands",
    "oeis": "has commands",
    "puzzle sheet": "writes a file",
    "puzzle worksheet": "writes a file",
}
# Commands that read tours from a file.
READ = {"check", "convert", "measure", "improve", "rank", "draw"}


def options_of(name: str) -> dict[str, click.Option]:
    """Return the options of a command by all of their names."""
    options = [option for option in all_commands()[name].params if isinstance(option, click.Option)]
    return {flag: option for option in options for flag in option.opts}


@pytest.mark.parametrize("name", all_commands())
def test_every_answering_command_supports_json(name):
    assert ("--json" in options_of(name)) == (name in ASKED)
    assert (name in ASKED) != (name in NO_JSON)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with two tours and a certificate."""
    monkeypatch.chdir(tmp_path)
    kt.write_tours("tours.txt", list(kt.iter_tours("5x6", closed=True))[:2])
    kt.make_puzzle("5x5", seed=1).save("puzzle.txt")
    return tmp_path


@pytest.mark.parametrize("name", ASKED)
def test_json_is_an_object_a_line(name, folder, run):
    words, fields = ASKED[name]
    code, out, err = run(*words.split(), "--json")
    assert code == 0, err
    records = [json.loads(line) for line in out.splitlines()]
    assert records
    for record in records:
        assert isinstance(record, dict) and not set(fields.split()) - set(record)


def test_tours_in_json_can_be_read_again(folder, run):
    kept = kt.read_tours("tours.txt")
    for words in ("convert tours.txt", "enumerate 5x6 --closed -n 2", "unrank 5x6 1 2 --closed"):
        code, out, _ = run(*words.split(), "--json")
        tours = kt.parse_tours(out, "json")
        assert code == 0 and len(tours) == 2 and {tour.board for tour in tours} == {kept[0].board}
    code, out, _ = run("convert", "tours.txt", "--json")
    assert kt.parse_tours(out, "json") == kept


def test_a_graph_in_json(folder, run):
    kt.Board(3, 4).save("board.hcp")
    _, out, _ = run("convert", "board.hcp", "--json")
    assert len(json.loads(out)["graph"]["nodes"]) == 12


def test_a_listing_of_nothing_has_no_lines(run):
    assert run(*["enumerate", "4x4", "--json"])[:2] == (1, "")
    assert run(*["oeis", "find", "1x3:torus", "--closed", "--symmetry", "180", "--json"])[1] == ""


@pytest.mark.parametrize("words", ["convert tours.txt", "improve tours.txt", "enumerate 5x6", "unrank 5x6 1"])
@pytest.mark.parametrize("more", [["--format", "csv"], ["-o", "x.json"]])
def test_json_goes_nowhere_else(words, more, folder, run):
    code, out, err = run(*words.split(), "--json", *more)
    assert (code, out) == (2, "") and "--json and " in err and "cannot be combined" in err


READERS = {
    "check": ["--json"],
    "convert": ["--json"],
    "measure": [],
    "improve": ["--timeout", "0.1"],
    "rank": [],
    "draw": [],
}


@pytest.mark.parametrize("name", sorted(READ))
def test_file_format_precedes_and_board_follows_the_name(name, folder, run):
    (folder / "tours.txt").rename("tours")
    asked = [run(name, *words, *READERS[name])[:2] for words in (["grid:tours"], ["tours", "5x6"])]
    assert asked[0][0] == asked[1][0] == 0
    # The tours of a limit in seconds differ.
    assert name == "improve" or asked[0] == asked[1]
    code, out, err = run(name, "gird:tours", *READERS[name])
    assert (code, out) == (2, "") and "did you mean 'grid'?" in err
    code, out, err = run(name, "tours", "6x5:torus", *READERS[name])
    assert code in (1, 2) and "6x5 torus" in out + err


def test_the_solution_of_a_puzzle_is_printed_in_any_format(folder, run):
    run(*["puzzle", "5x5", "--seed", "1", "-o", "puzzle.txt"])
    _, grid, _ = run("puzzle", "solve", "puzzle.txt")
    _, squares, _ = run("puzzle", "solve", "puzzle.txt", "--format", "squares")
    assert kt.parse_tours(squares, "squares", "5x5") == kt.parse_tours(grid, "grid")


# ---------------------------------------------------------------- one answer in three interfaces

_CLOSED: dict[str, Any] = {"board": "5x6", "closed": True}
_GRID = str(kt.find_tour("5x5", seed=1))
# The command, the path and the body of the request, if the API has one, and the same in Python, as a record.
SAME: Mapping[str, tuple[str, str, dict[str, Any], Callable[[], Mapping[str, object]]]] = {
    "a tour": (
        "solve 5x6 --closed --seed 3",
        "solve",
        {**_CLOSED, "seed": 3},
        lambda: kt.solve("5x6", closed=True, seed=3).to_dict(),
    ),
    "no tour": (
        "solve 4x4 --seed 7",
        "solve",
        {"board": "4x4", "seed": 7},
        lambda: {"reason": kt.solve("4x4").reason, "squares": None},
    ),
    "a tour by a method": (
        "solve 5x5 --method warnsdorff --set ties=pohl --start 0,0 --seed 7",
        "solve",
        {"board": "5x5", "method": "warnsdorff", "options": {"ties": "pohl"}, "start": "0,0", "seed": 7},
        lambda: kt.solve("5x5", method="warnsdorff", settings={"ties": "pohl"}, start=(0, 0), seed=7).to_dict(),
    ),
    "a tour around holes": (
        "solve 5x6:-a1,f5 --seed 7",
        "solve",
        {"board": {"rows": 5, "cols": 6, "holes": ["a1", [0, 5]]}, "seed": 7},
        lambda: kt.solve(kt.Board(5, 6, holes=["a1", "f5"]), seed=7).to_dict(),
    ),
    "a tour of a torus": (
        "solve 5x6:torus --closed --seed 7",
        "solve",
        {"board": {"rows": 5, "cols": 6, "wrap": "torus"}, "closed": True, "seed": 7},
        lambda: kt.solve("5x6:torus", closed=True, seed=7).to_dict(),
    ),
    "a tour of a zebra": (
        "solve 10x10:2,3 --seed 7",
        "solve",
        {"board": {"rows": 10, "cols": 10, "leaper": [2, 3]}, "seed": 7},
        lambda: kt.solve("10x10:2,3", seed=7).to_dict(),
    ),
    "a tour with conditions": (
        "solve 6x6 --require a1-b3 --require 0,0-2,1 --forbid f6-e4 --seed 1",
        "solve",
        {"board": "6x6", "require": [["a1", "b3"], [[0, 0], [2, 1]]], "forbid": ["f6-e4"], "seed": 1},
        lambda: kt.solve("6x6", require=["a1-b3", ((0, 0), (2, 1))], forbid=[("f6", "e4")], seed=1).to_dict(),
    ),
    "a count with conditions": (
        "count 6x6 --closed --require c4-e3 --forbid b5-d4",
        "count",
        {"board": "6x6", "closed": True, "require": ["c4-e3"], "forbid": ["b5-d4"]},
        lambda: {"count": str(kt.count("6x6", closed=True, require=["c4-e3"], forbid=["b5-d4"]))},
    ),
    "the facts of a board": ("facts 5x6", "facts", {"board": "5x6"}, lambda: kt.facts("5x6").to_dict()),
    "the way between two squares": (
        "facts 8x8 --from-to a8 h1",
        "facts",
        {"board": "8x8", "from_to": [[0, 0], [7, 7]]},
        lambda: kt.Board(8, 8).paths("a8", "h1").to_dict(),
    ),
    "a count": (
        "count 5x6 --closed --directed",
        "count",
        {**_CLOSED, "directed": True},
        lambda: {"count": str(kt.count("5x6", closed=True, directed=True)), "directed": True},
    ),
    "a count of classes": (
        "count 5x6 --closed --up-to-symmetry",
        "count",
        {**_CLOSED, "up_to_symmetry": True},
        lambda: {"count": str(kt.count("5x6", closed=True, up_to_symmetry=True))},
    ),
    "a count of none": ("count 5x5 --closed", "count", {"board": "5x5", "closed": True}, lambda: {"count": "0"}),
    "a count from each square": ("census 4x5 --by start", "", {}, lambda: kt.census("4x5", "start").to_dict()),
    "a plan": ("count 5x6 --plan", "", {}, lambda: kt.plan("5x6").to_dict()),
    "an estimate": (
        "estimate 5x6 --closed --samples 400 --seed 1",
        "count/estimate",
        {**_CLOSED, "samples": 400, "seed": 1},
        lambda: kt.estimate("5x6", closed=True, samples=400, seed=1).to_dict(),
    ),
    "a census": ("census 5x6 --closed --by turns", "", {}, lambda: kt.census("5x6", "turns", closed=True).to_dict()),
    "a check": (
        "check tour.txt",
        "check",
        {"text": _GRID},
        lambda: {"valid": kt.check("tour.txt").is_valid, "board": "5x5", "rows": 5, "cols": 5},
    ),
    "a check with another board": (
        "check tour.txt 8x8",
        "check",
        {"text": _GRID, "board": "8x8"},
        lambda: {"unmet": kt.check("tour.txt", board="8x8").unmet[0].reason},
    ),
    "a check with demands": (
        "check tour.txt --closed",
        "check",
        {"text": _GRID, "closed": True},
        lambda: {"unmet": kt.check("tour.txt", closed=True).unmet[0].reason},
    ),
}
# Fields that depend on the machine, and additional fields of the page.
_OF_THE_MACHINE = ("seconds", "memory", "peak_bytes")
_OF_THE_PAGE = ("shape", "squares")


@pytest.mark.parametrize("name", SAME)
def test_an_answer_is_the_same_in_all_interfaces(name, folder, run):
    words, path, body, in_python = SAME[name]
    (folder / "tour.txt").write_text(_GRID)
    printed = json.loads(run(*words.split(), "--json")[1])
    answer = dict(printed)
    if path:
        call = api.call_of(path, dict(body))
        answer = json.loads(call.function(*call.arguments))
    if path == "check":
        (answer,) = answer["tours"]
        answer = {key: value for key, value in answer.items() if key not in _OF_THE_PAGE}
    python = json.loads(json.dumps(in_python()))
    for key in _OF_THE_MACHINE:
        printed.pop(key, None), answer.pop(key, None), python.pop(key, None)
    assert printed == answer
    assert {key: printed[key] for key in python} == python
