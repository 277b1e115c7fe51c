"""Tests of errors in calls: each message contains the function and the likely intention."""

import inspect
import pickle
import sys
import traceback
import types
from operator import attrgetter

import pytest

import knightstour as kt
from helpers.public import PUBLIC
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.errors import KnightsTourError
from knightstour.core.model.validation import seed_of

SLIPS = {
    "unknown method": (
        lambda: kt.solve("8x8", method="spiral"),
        "unknown method 'spiral'",
        "help: one of auto, explicit",
    ),
    "rng of solve": (lambda: kt.solve("8x8", rng=3), "unexpected keyword argument 'rng'", "help: the seed is seed="),
    "rng of find_tour": (lambda: kt.find_tour("8x8", rng=3), "argument 'rng'", "help: the seed is seed="),
    "rng of a sample": (lambda: kt.sample("8x8", 5, rng=3), "'rng'", "help: the seed is seed="),
    "rng of a puzzle": (lambda: kt.make_puzzle("8x8", rng=3), "argument 'rng'", "help: the seed is seed="),
    "distribution of solve": (
        lambda: kt.solve("8x8", distribution="uniform"),
        "unexpected keyword argument 'distribution'",
        "sample(board, n, distribution=...)",
    ),
    "holes of solve": (
        lambda: kt.solve("8x8", holes=["a1"]),
        "unexpected keyword argument 'holes'",
        "help: it belongs to the board: Board(",
    ),
    "holes of a count": (lambda: kt.count("8x8", holes=["a1"]), "count() got an unexpected keyword", "holes=...)"),
    "limits": (lambda: kt.count("8x8", limits=3), "unexpected keyword argument 'limits'", "timeout= (seconds)"),
    "hole": (lambda: kt.Board(8, 8, hole=["a1"]), "argument 'hole'; did you mean 'holes'?", ""),
    "n of solve": (lambda: kt.solve(8, n=3), "solve() got an unexpected keyword argument 'n'", "or sample(board, n)"),
    "n of find_tour": (lambda: kt.find_tour(8, n=3), "argument 'n'", "iter_tours(board)"),
    "an inner class": (
        lambda: kt.sequences.check("A001230", last=3),
        "check() got an unexpected keyword argument 'last'",
        "",
    ),
    "what a count of the census takes": (
        lambda: kt.census("5x5", "turns", directed=True),
        "census() got an unexpected keyword argument 'directed'",
        "",
    ),
    "algorithm": (lambda: kt.solve("6x6", algorithm="x"), "argument 'algorithm'", "it is called method="),
    "piece of solve": (lambda: kt.solve("6x6", piece="king"), "unexpected keyword argument 'piece'", 'moves="king"'),
    "a tour before its path": (
        lambda: kt.write_tours(kt.Tour((1, 1), ["a1"]), "x.json"),
        "the path must precede the tours",
        "write_tours(path, tours)",
    ),
    "a drawing as a tour": (lambda: kt.parse_tours("....\n.#..\n"), "this is a drawing of a board", "Board.from_file"),
}


def lines_of(error: BaseException) -> list[str]:
    """Return the visible lines of a traceback."""
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


OF_A_BOARD = {
    name: getattr(kt, name)
    for name in ("solve", "find_tour", "iter_tours", "count", "estimate", "plan", "facts", "compare", "make_puzzle")
} | {"TourSpace": kt.TourSpace}


@pytest.mark.parametrize("function", OF_A_BOARD.values(), ids=OF_A_BOARD)
def test_two_sizes_are_hinted_to_be_one_board(function) -> None:
    with pytest.raises(TypeError) as raised:
        function(6, 6)
    assert raised.value.__notes__ == ['help: the board is one argument: (6, 6) or "6x6"']


@pytest.mark.parametrize(
    ("function", "meant"),
    [
        *((kt.solve, name) for name in ("start", "closed", "minimize")),
        *(
            (function, "closed")
            for function in (kt.find_tour, kt.iter_tours, kt.count, kt.estimate, kt.plan, kt.census)
        ),
        *((function, "closed") for function in (kt.TourSpace, kt.sample, kt.iter_samples, kt.make_puzzle)),
        (kt.facts, "timeout"),
        (kt.improve, "minimize"),
        (kt.compare, "methods"),
        (kt.draw, "style"),
        (kt.Board, "holes"),
    ],
)
def test_misspelt_keywords_are_corrected_in_the_message(function, meant: str) -> None:
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty and p.kind < 2]
    for name in (meant + "e", meant[0] + meant[2] + meant[1] + meant[3:]):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'; did you mean '{meant}'"):
            function(*("5x5" for _ in needed), **{name: 1})


def test_a_type_error_within_a_function_has_no_hint() -> None:
    @with_hints
    def function(rows, cols):
        (lambda: None)(rows, cols)

    with pytest.raises(TypeError, match="takes 0 positional arguments but 2 were given") as raised:
        function(6, 6)
    assert not hasattr(raised.value, "__notes__")


FUNCTIONS = sorted(name for name, value in PUBLIC.items() if inspect.isfunction(value))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_names_itself(name: str) -> None:
    function = PUBLIC[name]
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty and p.kind < 2]
    with pytest.raises((TypeError, KnightsTourError)) as raised:
        function(*("5x5" for _ in needed), no_such_argument=1)
    is_ours = isinstance(raised.value, KnightsTourError)
    assert (
        is_ours
        or str(raised.value) == f"{function.__qualname__}() got an unexpected keyword argument 'no_such_argument'"
    )
    with pytest.raises((TypeError, KnightsTourError)) as raised:
        function(*range(20))
    assert isinstance(raised.value, KnightsTourError) or str(raised.value).startswith(f"{function.__qualname__}()")


TOUR = kt.find_tour(6, seed=1)
PICTURES = 'use kt.draw(tour).save("tour.svg"); kt.draw(trace, "gif") is an animation'


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("tour", "use kt.find_tour(8)"),
        ("hamiltonian_path", "use kt.find_tour(board); closed=True for a cycle"),
        ("hamiltonian_cycle", "use kt.find_tour(board); closed=True for a cycle"),
        ("warnsdorff", 'use kt.solve(8, method="warnsdorff")'),
        ("backtracking", 'use kt.solve(8, method="backtracking")'),
        ("is_valid", "use kt.check"),
        ("is_tour", "use kt.check"),
        ("validate", "use kt.check"),
        ("rank", "use kt.TourSpace(board).rank(tour)"),
        ("unrank", "use kt.TourSpace(board).unrank(n)"),
        ("plot", PICTURES),
        ("show", PICTURES),
        ("draw_svg", PICTURES),
        ("animate", PICTURES),
        ("Graph", "use kt.Board.from_graph"),
        ("enumerate", "use kt.iter_tours"),
        ("find_tours", "did you mean 'find_tour'?"),
        ("read_datasets", "did you mean 'datasets.read_dataset'?"),
    ],
)
def test_unknown_names_get_one_hint(typed: str, hint: str) -> None:
    with pytest.raises(AttributeError) as raised:
        getattr(kt, typed)
    # Python's own guess would be another line.
    assert lines_of(raised.value) == [f"AttributeError: knightstour has no {typed!r}; {hint}"]


@pytest.mark.parametrize(
    ("value", "typed", "hint"),
    [
        (TOUR, "path", "; use tour.squares"),
        (TOUR, "moves_list", "; use tour.moves"),
        (TOUR, "is_valid", ". A Tour is always valid"),
        (TOUR, "plot", '; use kt.draw(tour), or tour.save("x.svg")'),
        (TOUR, "show", '; use kt.draw(tour), or tour.save("x.svg")'),
        (TOUR, "draw", '; use kt.draw(tour), or tour.save("x.svg")'),
        (TOUR, "animate", '; use kt.draw(tour, "gif")'),
        (TOUR, "squars", "; did you mean 'squares'?"),
        (kt.solve(6), "path", "; use result.tour.squares"),
        (kt.solve(6), "squares", "; use result.tour.squares"),
        (kt.solve(6), "save", "; use result.tour.save(path)"),
        (kt.solve(6), "plot", "; use kt.draw(result)"),
        (kt.Board(6, 6), "neighbours", "; use board.neighbors"),
        (kt.Board("hex:2"), "size", "; use board.rows and board.cols; len(board) squares"),
        (kt.Board(6, 6), "shape", "; use board.rows and board.cols; len(board) squares"),
        (kt.Board.from_graph([(0, 1)]), "n", "; use board.rows and board.cols; len(board) squares"),
        (kt.Board(6, 6), "plot", "; use kt.draw(board)"),
        (kt.Board(6, 6), "xyzzy", ""),
    ],
)
def test_unknown_attributes_get_one_hint(value: object, typed: str, hint: str) -> None:
    kind = next(kind.__name__ for kind in (kt.Tour, kt.Result, kt.Board) if isinstance(value, kind))
    with pytest.raises(AttributeError) as raised:
        getattr(value, typed)
    assert lines_of(raised.value) == [f"AttributeError: {kind} has no attribute {typed!r}{hint}"]
    assert pickle.loads(pickle.dumps(value)) is not None and not hasattr(value, "__no_such_protocol__")


def test_tour_index_returns_the_step_of_a_square() -> None:
    with pytest.raises(TypeError, match=r"a step must be an integer, not 'a1'; use tour.index\('a1'\)"):
        _ = TOUR["a1"]  # type: ignore[index]
    assert [TOUR.index(square) for square in TOUR.board] == (TOUR.numbers.ravel() - 1).tolist()
    with pytest.raises(kt.BoardError):
        TOUR.index("z9")


def test_unknown_names_without_a_hint_get_a_plain_error() -> None:
    with pytest.raises(AttributeError, match=r"^knightstour has no 'xyzzy'$"):
        _ = kt.xyzzy


def test_names_of_modules_lead_to_their_module() -> None:
    moved = {path.split(".")[1]: path for path in PUBLIC if "." in path}
    assert len(moved) > 40
    for name, path in moved.items():
        if name not in kt.__all__:
            with pytest.raises(AttributeError, match=f"^knightstour.{name} is now knightstour.{path}$"):
                getattr(kt, name)


def test_unknown_names_of_modules_get_hints() -> None:
    with pytest.raises(AttributeError, match=r"^knightstour.notebook has no 'widgt'; did you mean 'widget'\?$"):
        _ = kt.notebook.widgt
    with pytest.raises(AttributeError, match=r"^knightstour.typing has no 'Board'; it is knightstour.Board$"):
        _ = kt.typing.Board
    with pytest.raises(AttributeError, match=r"^knightstour.datasets has no 'xyzzy'$"):
        _ = kt.datasets.xyzzy
    # An import of a module that is there asks for it first as a name, which needs no hint.
    with pytest.raises(AttributeError, match=r"^knightstour.notebook has no 'core'$"):
        kt.notebook.__getattr__("core")


def test_notes_are_updated_and_survive_other_processes() -> None:
    error = kt.ProblemError("it does not apply", note="the board is small", help="take another")
    assert lines_of(error)[1:] == ["note: the board is small", "help: take another"]
    error.help = "take method exact"
    error.add_note("and more")
    for found in (error, pickle.loads(pickle.dumps(error))):
        assert lines_of(found)[1:] == ["note: the board is small", "help: take method exact", "and more"]
    assert lines_of(kt.ProblemError("plain")) == ["knightstour.ProblemError: plain"]
    with pytest.raises(kt.NoTour) as none:
        kt.find_tour((4, 8), closed=True)
    assert lines_of(none.value)[-1].startswith("note: ")


def test_public_functions_are_found_by_their_names() -> None:
    """Other processes need to find them."""
    for name in FUNCTIONS:
        assert pickle.loads(pickle.dumps(PUBLIC[name])) is PUBLIC[name]


def test_notes_that_another_library_writes_back_are_kept_once() -> None:
    """tblib, a part of Dask, restores the attributes of transferred errors."""
    error = kt.BoardError("what", note="where", help="how")
    error.add_note("on worker 3")
    again = kt.BoardError("what", note="where", help="how")
    again.__notes__ = error.__notes__
    assert again.__notes__ == ["note: where", "help: how", "on worker 3"]


@pytest.mark.parametrize("table", ["METHODS", "DISTRIBUTIONS", "FORMATS", "STATISTICS", "sequences.SEQUENCES"])
def test_rows_of_tables_are_short_in_a_console(table: str) -> None:
    for row in attrgetter(table)(kt).values():
        assert len(repr(row)) <= 120 and "<function" not in repr(row) + str(row)


@pytest.mark.parametrize("module", [None, types.ModuleType("random")], ids=["not loaded", "being loaded"])
def test_seeds_work_while_another_thread_imports_random(
    module: types.ModuleType | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "random")
    if module is not None:
        monkeypatch.setitem(sys.modules, "random", module)
    assert seed_of(7) == 7
    with pytest.raises(TypeError, match="seed"):
        seed_of("7")
