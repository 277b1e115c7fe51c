"""Slips in calls from Python: each error names its own function, and says what was probably meant."""

import inspect
import pickle
import traceback
from operator import attrgetter

import pytest

import knightstour as kt
from helpers.public import PUBLIC
from knightstour.core.model.errors import KnightsTourError

SLIPS = {
    "unknown method": (lambda: kt.solve("8x8", method="dfs"), "unknown method 'dfs'", "help: one of auto, explicit"),
    "rng of solve": (lambda: kt.solve("8x8", rng=3), "no argument 'rng'", "help: the seed is seed="),
    "rng of find_tour": (lambda: kt.find_tour("8x8", rng=3), "no argument 'rng'", "help: the seed is seed="),
    "rng of a sample": (lambda: kt.sample("8x8", 5, rng=3), "'rng'", "help: the seed is seed="),
    "rng of a puzzle": (lambda: kt.make_puzzle("8x8", rng=3), "make_puzzle() has no argument 'rng'", "seed="),
    "distribution of solve": (
        lambda: kt.solve("8x8", distribution="uniform"),
        "no argument 'distribution'",
        "sample(board, n, distribution=...)",
    ),
    "holes of solve": (
        lambda: kt.solve("8x8", holes=["a1"]),
        "no argument 'holes'",
        "help: it belongs to the board: Board(",
    ),
    "holes of a count": (lambda: kt.count("8x8", holes=["a1"]), "count() has no argument", "holes=...)"),
    "limits": (lambda: kt.count("8x8", timeout=3), "no argument 'timeout'", "limits=Limits(seconds=...)"),
    "two numbers": (
        lambda: kt.find_tour(8, 8),
        "find_tour() takes board without a name",
        'one argument: (8, 8) or "8x8"',
    ),
    "two numbers counted": (lambda: kt.count(8, 8), "count() takes board", 'one argument: (8, 8) or "8x8"'),
    "hole": (lambda: kt.Board(8, 8, hole=["a1"]), "Board() has no argument 'hole'", "did you mean 'holes'?"),
    "an inner class": (
        lambda: kt.sequences.check("A001230", last=3),
        "check() has no argument 'last'",
        "checkpoint",
    ),
    "what a count of the census takes": (
        lambda: kt.census("5x5", "turns", directed=True),
        "census() has no argument 'directed'",
        "closed, start, end",
    ),
    "of the symmetries": (lambda: kt.count_table("4x5", across=1), "count_table() has no argument 'across'", "closed"),
    "algorithm": (lambda: kt.solve("6x6", algorithm="x"), "no argument 'algorithm'", "it is called method="),
    "piece of solve": (lambda: kt.solve("6x6", piece="king"), "no argument 'piece'", "Board(8, 8, moves=...)"),
    "piece of a board": (lambda: kt.Board(6, 6, piece="king"), "Board() has no argument", "it is called moves="),
    "timeout of limits": (lambda: kt.Limits(timeout=5), "Limits() has no argument 'timeout'", "called seconds="),
    "nodes of limits": (lambda: kt.Limits(max_nodes=5), "Limits() has no argument 'max_nodes'", "called nodes="),
    "a tour before its path": (
        lambda: kt.write_tours(kt.Tour((1, 1), ["a1"]), "x.json"),
        "the path comes before the tours",
        "write_tours(path, tours)",
    ),
    "a board before its path": (
        lambda: kt.write_board(kt.Board(3, 4), "x.hcp"),
        "the path comes before",
        "write_board(",
    ),
    "a drawing as a tour": (lambda: kt.parse_tours("....\n.#..\n"), "this draws a board", "Board.from_file"),
    "nothing": (lambda: kt.find_tour(), "find_tour() needs 'board'", ""),
    "a sequence": (lambda: kt.sequences.check(), "check() needs 'sequence'", ""),
}


def lines_of(error: BaseException) -> list[str]:
    """What a traceback shows of it."""
    return "".join(traceback.format_exception_only(error)).splitlines()


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_named_and_the_next_line_helps(slip: str) -> None:
    ask, message, helps = SLIPS[slip]
    with pytest.raises((TypeError, KnightsTourError)) as raised:
        ask()
    first, *rest = lines_of(raised.value)
    assert message in first
    assert helps in "\n".join(rest)
    assert len(rest) == bool(helps) or rest[0].startswith("note: ")


FUNCTIONS = sorted(name for name, value in PUBLIC.items() if inspect.isfunction(value))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_names_itself(name: str) -> None:
    function = PUBLIC[name]
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty and p.kind < 2]
    with pytest.raises((TypeError, KnightsTourError)) as raised:
        function(*("5x5" for _ in needed), no_such_argument=1)
    is_ours = isinstance(raised.value, KnightsTourError)
    assert is_ours or str(raised.value) == f"{name.split('.')[-1]}() has no argument 'no_such_argument'"
    with pytest.raises((TypeError, KnightsTourError)) as raised:
        function(*range(20))
    assert isinstance(raised.value, KnightsTourError) or str(raised.value).startswith(f"{name.split('.')[-1]}()")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("read_datasets", "datasets.read_dataset"),
        ("find_tours", "find_tour"),
        ("tour", "find_tour"),
        ("is_tour", "check"),
    ],
)
def test_unknown_name_leads_to_the_existing_one(typed: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"^knightstour has no '{typed}'; did you mean '{meant}'\\?$"):
        getattr(kt, typed)
    with pytest.raises(AttributeError) as raised:
        getattr(kt, typed)
    # Python's own guess would be another one.
    assert len(lines_of(raised.value)) == 1 and lines_of(raised.value)[0].count("did you mean") == 1
    with pytest.raises(AttributeError, match=r"^knightstour has no 'xyzzy'$"):
        _ = kt.xyzzy


def test_top_level_has_few_names_and_moved_names_get_hints() -> None:
    assert len(kt.__all__) <= 84
    moved = {path.split(".")[1]: path for path in PUBLIC if "." in path}
    assert len(moved) > 40
    for name in moved.keys() & kt.__all__:
        moved.pop(name)
    for name, path in moved.items():
        with pytest.raises(AttributeError, match=f"^knightstour.{name} is now knightstour.{path}$"):
            getattr(kt, name)


def test_a_module_names_what_was_meant() -> None:
    with pytest.raises(AttributeError, match=r"^knightstour.notebook has no 'widgt'; did you mean 'widget'\?$"):
        _ = kt.notebook.widgt
    with pytest.raises(AttributeError, match=r"^knightstour.typing has no 'Board'; it is knightstour.Board$"):
        _ = kt.typing.Board
    with pytest.raises(AttributeError, match=r"^knightstour.datasets has no 'xyzzy'$"):
        _ = kt.datasets.xyzzy
    # An import of a module that is there asks for it first as a name, which needs no hint.
    with pytest.raises(AttributeError, match=r"^knightstour.notebook has no 'core'$"):
        kt.notebook.__getattr__("core")


def test_names_that_are_meant_are_there() -> None:
    for meant in kt._MEANT.values():
        assert attrgetter(meant)(kt) is not None


def test_notes_are_updated_and_survive_other_processes() -> None:
    error = kt.ProblemError("it does not apply", note="the board is small", help="take another")
    assert lines_of(error)[1:] == ["note: the board is small", "help: take another"]
    error.help = "take method exact"
    error.add_note("and more")
    for found in (error, pickle.loads(pickle.dumps(error))):
        assert lines_of(found)[1:] == ["note: the board is small", "help: take method exact", "and more"]
    assert lines_of(kt.ProblemError("plain")) == ["knightstour.core.model.errors.ProblemError: plain"]
    with pytest.raises(kt.NoTour) as none:
        kt.find_tour((4, 8), closed=True)
    assert lines_of(none.value)[-1].startswith("note: ")


def test_public_functions_are_found_by_their_names() -> None:
    """So that they can be sent to other processes."""
    for name in FUNCTIONS:
        assert pickle.loads(pickle.dumps(PUBLIC[name])) is PUBLIC[name]


def test_notes_that_another_library_writes_back_are_kept_once() -> None:
    """tblib, which Dask brings, sets what it found when an error arrives from another process."""
    error = kt.BoardError("what", note="where", help="how")
    error.add_note("on worker 3")
    again = kt.BoardError("what", note="where", help="how")
    again.__notes__ = error.__notes__
    assert again.__notes__ == ["note: where", "help: how", "on worker 3"]


@pytest.mark.parametrize("table", ["METHODS", "DISTRIBUTIONS", "FORMATS", "SEQUENCES", "STATISTICS"])
def test_rows_of_tables_are_short_in_a_console(table: str) -> None:
    for row in attrgetter(table)(kt).values():
        assert len(repr(row)) <= 120 and "<function" not in repr(row) + str(row)
