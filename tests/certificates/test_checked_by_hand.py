"""Tests of the checkers of searches and layers by hand."""

import copy
import hashlib
from itertools import product

import pytest

import knightstour as kt
from knightstour.lab.certificates.clauses import MAX_BY_THREES, clauses_of, dimacs
from knightstour.lab.certificates.drat import check_drat
from knightstour.lab.certificates.layers import digest_of, sums_of, texts_of
from knightstour.lab.certificates.loop_graph import cuts_of
from knightstour.lab.certificates.record import FORMAT, Allowance, TooLong, Unreadable, Wrong

# No way to choose 2 and 3.
NEVER = [[2, 3], [2, -3], [-2, 3], [-2, -3]]


def checked(clauses, *lines):
    """Return None if the lines prove that the clauses are unsatisfiable, else the fault."""
    try:
        return check_drat([list(clause) for clause in clauses], list(lines), Allowance(10_000, 60))
    except Wrong as wrong:
        return str(wrong)


PROVED = {
    "an empty clause": ([[]], []),
    "one and not one": ([[1], [-1]], []),
    "both false when it comes": ([[1], [2], [-1, -2]], []),
    "three false when it comes": ([[1], [2], [4], [-1, -2, -4]], []),
    "it follows as they come": ([[1], [-1, 2], [-2, 3], [-3, -1]], []),
    "in any order": ([[-3, -1], [-2, 3], [-1, 2], [1]], []),
    "by one line": (NEVER, ["2 0"]),
    "by another": (NEVER, ["-3 0"]),
    "what holds follows": ([[1], *NEVER], ["1 2 0", "2 0"]),
    "a clause and its opposite": (NEVER, ["4 -4 0", "2 0"]),
    "a literal twice": (NEVER, ["2 2 0"]),
    "a literal twice in a line of two": ([[1, 2, 3], [1, 2, -3], [1, -2], [-1, 4], [-1, -4]], ["2 1 2 0", "1 0"]),
    "what is deleted is not needed": ([[1, 2], *NEVER], ["d 1 2 0", "2 0"]),
    "in another order": ([[1, 2, 4], *NEVER], ["d 4 2 1 0", "2 0"]),
    "what was never there": (NEVER, ["d 7 8 0", "2 0"]),
    "one of two": ([[2, 3], *NEVER], ["d 2 3 0", "2 0"]),
    "what others followed from stays": ([[1], [-1, 2], [-2, 3, 4], [-2, 3, -4], [-3, 4], [-3, -4]], ["d 1 0", "3 0"]),
    "a learnt line is used": (
        [[1, 2, 3], [1, 2, -3], [1, -2, 3], [1, -2, -3], [-1, 2, 3], [-1, 2, -3], [-1, -2, 3], [-1, -2, -3]],
        ["1 2 0", "1 0", "2 0"],
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_accepts_valid_proofs(name):
    clauses, lines = PROVED[name]
    assert checked(clauses, *lines) is None


NOT = "drat, line {}: the clause does not follow by unit propagation"
END = "drat: the lines end without the empty clause"
REFUSED = {
    "no line": (NEVER, [], END),
    "what holds is no proof": ([[1]], ["1 0"], END),
    "the empty clause alone": (NEVER, ["0"], NOT.format(1)),
    "a guess": ([[1, 2, 3]], ["1 0"], NOT.format(1)),
    "a later guess": ([[1, 2], [1, -2], [3, 4]], ["1 0", "3 0"], NOT.format(2)),
    "a clause deleted": ([[1, 2], [1, -2]], ["d 1 2 0", "1 0"], NOT.format(2)),
    "a clause of three deleted": ([[1, 2, 3], [1, 2, -3]], ["d 3 2 1 0", "1 2 0"], NOT.format(2)),
    "both of two deleted": ([[1, 2], [2, 1], [1, -2]], ["d 1 2 0", "d 1 2 0", "1 0"], NOT.format(3)),
    "a line deleted": ([[1, 2, 3], [1, 2, -3], [1, -2]], ["1 2 0", "d 2 1 0", "d 1 2 3 0", "1 0"], NOT.format(4)),
    "what a line supposed does not stay": ([[1, 2], [1, -2, 3], [1, -2, -3], [4, 5]], ["1 0", "4 0"], NOT.format(2)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_rejects_invalid_proofs(name):
    clauses, lines, words = REFUSED[name]
    assert checked(clauses, *lines) == words


WORDS = "drat, line {}: expected integers, or d and integers"
ZERO = "drat, line {}: expected a single 0, at the end"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["1 x 0"], WORDS.format(1)),
        (["2 3 0", "d d 1 0"], WORDS.format(2)),
        (["1 2"], ZERO.format(1)),
        (["1 0 2 0"], ZERO.format(1)),
        ([""], ZERO.format(1)),
        (["2 3 0", "d"], ZERO.format(2)),
    ],
)
def test_rejects_invalid_lines(lines, words):
    with pytest.raises(Unreadable) as caught:
        checked(NEVER, *lines)
    assert caught.value.message == words


# ---------------------------------------------------------------- the clauses


def test_the_clauses_of_a_small_graph():
    # Moves 1: 0-1, 2: 0-2, 3: 0-3, 4: 1-2.
    near = {0: {1, 2, 3}, 1: {0, 2}, 2: {0, 1}, 3: {0}}
    squares = [[2, 3], [1, 3], [1, 2], [-1, -2, -3], [4], [1], [4], [2], []]
    assert clauses_of(near, []) == squares
    assert clauses_of(near, [[3], [0, 3], [2, 1]]) == [*squares, [3], [1, 2], [1, 2]]
    assert clauses_of({0: set(), 1: set()}, []) == [[], []]
    assert (dimacs([]), dimacs([[]]), dimacs([[1, -3]])) == ("p cnf 0 0\n", "p cnf 0 1\n0\n", "p cnf 3 1\n1 -3 0\n")


@pytest.mark.parametrize("moves", [MAX_BY_THREES, MAX_BY_THREES + 1])
def test_clauses_require_two_moves_per_square(moves):
    # A star: its centre has many moves. A plain solver lists all choices.
    solvers = pytest.importorskip("pysat.solvers")
    near = {0: set(range(1, moves + 1)), **{leaf: {0} for leaf in range(1, moves + 1)}}
    # The leaves, of one move each, are left out: their clauses cannot be met.
    clauses = clauses_of(near, [])[:-moves]
    assert max(abs(literal) for clause in clauses for literal in clause) <= moves + 2 * moves * (moves > MAX_BY_THREES)
    with solvers.Cadical195(bootstrap_with=clauses) as solver:
        for chosen in product((1, -1), repeat=moves):
            literals = [sign * move for move, sign in enumerate(chosen, 1)]
            assert solver.solve(assumptions=literals) is (chosen.count(1) == 2)


def test_two_squares_of_many_moves_have_counters_of_their_own():
    size = MAX_BY_THREES + 2
    near = {a: {b for b in range(size) if b != a} for a in range(size)}
    clauses = clauses_of(near, [])
    edges = size * (size - 1) // 2
    assert sorted({abs(literal) for clause in clauses for literal in clause}) == list(
        range(1, edges + 2 * size * (size - 1) + 1)
    )


def test_too_many_clauses_are_left_unchecked():
    with pytest.raises(TooLong) as caught:
        clauses_of({0: set(range(1, 1002))} | {a: {0} for a in range(1, 1002)}, [])
    assert str(caught.value) == "a square has too many moves for clauses"
    # One thousand moves are not too many.
    assert len(clauses_of({0: set(range(1, 1001))} | {a: {0} for a in range(1, 1001)}, [])) == 6996
    with pytest.raises(TooLong) as caught:
        clauses_of({a: {b for b in range(200) if b != a} for a in range(200)}, [])
    assert str(caught.value) == "the clauses of this board are too many to check"


CUT = "cut {} must be a proper subset of the squares of the graph, without duplicates"


@pytest.mark.parametrize(
    ("cuts", "number"), [([[]], 1), ([[0], [0, 0]], 2), ([[0], [1], [0, 1, 2]], 3), ([[3]], 1), ([[0, 3]], 1)]
)
def test_a_cut_is_some_squares(cuts, number):
    with pytest.raises(Wrong) as caught:
        cuts_of({0: {1, 2}, 1: {0, 2}, 2: {0, 1}}, {"cuts": cuts}, 3)
    assert str(caught.value) == CUT.format(number)


# ---------------------------------------------------------------- whole searches


def verified(board, drat="", cuts=(), **conditions):
    claimed = {"format": FORMAT, "board": board, "closed": True, **conditions, "answer": "impossible"}
    return kt.certificates.verify({**claimed, "proof": {"kind": "search", "cuts": list(cuts), "drat": drat}})


def of_nodes(nodes, *edges):
    return {"rows": 1, "cols": nodes, "graph": {"nodes": list(range(nodes)), "edges": list(edges)}}


def test_searches_on_small_boards():
    one = {"rows": 1, "cols": 1}
    assert verified(one, closed=False).detail == "a board of one square has an open tour"
    assert verified(one).detail == "the clauses require at least three squares"
    two = of_nodes(2, [0, 1])
    assert verified(two).detail == "the clauses require at least three squares"
    # An open tour of two squares is there: it is a loop with the virtual square.
    assert verified(two, closed=False).detail == END
    found = verified(of_nodes(2), closed=False)
    assert found.is_right and found.detail == "checked: a search: 4 clauses, 0 of them of cuts, and 0 lines of DRAT"
    path = verified(of_nodes(3, [0, 1], [1, 2]))
    assert path.is_right and path.detail == "checked: a search: 4 clauses, 0 of them of cuts, and 0 lines of DRAT"
    triangles = of_nodes(6, [0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5])
    assert verified(triangles).detail == END
    cut = verified(triangles, "1 0\n", [[0, 1, 2]])
    assert cut.detail == "checked: a search: 13 clauses, 1 of them of cuts, and 1 line of DRAT"


def test_invalid_search_is_one_clear_error():
    def words(**changes):
        with pytest.raises(kt.FormatError) as caught:
            verified(of_nodes(3, [0, 1], [1, 2], [0, 2]), **changes)
        return caught.value.message

    assert words(cuts=[["a1"]]) == '"cuts" must be an integer of at least 0'
    assert words(cuts=[0]) == '"cuts" must be a list of integers'
    assert words(cuts=[[0]] * 100_001) == '"cuts" must be a list of at most 100,000 items'
    assert words(drat=1) == '"drat" must be a text'
    assert words(drat="1 x 0") == WORDS.format(1)


# ---------------------------------------------------------------- layers


def test_states_are_readable_by_an_independent_reader():
    layer = {((3, 7), (7, 3), (9, 9)): 2, ((1, 1), (12, 15), (15, 12)): 30, (): 5}
    texts = texts_of(layer)
    assert list(texts.items()) == [("", 5), ("1 12-15", 30), ("3-7 9", 2)]
    assert digest_of(texts) == hashlib.sha256(b":5\n1 12-15:30\n3-7 9:2\n").hexdigest()
    assert sums_of({(): 2147483647 + 5}) == [5, (2147483652) % 1073741789, 2147483652 % 536870909]


# ---------------------------------------------------------------- words


@pytest.fixture(scope="module")
def certificate():
    return kt.certificates.certify_count((3, 4), start="a1")


def found(certificate, change):
    copied = copy.deepcopy(dict(certificate.record))
    change(copied["proof"])
    return kt.certificates.verify(copied).detail


def test_words_about_wrong_layers(certificate):
    layers = certificate.record["proof"]["layers"]
    k = next(k for k, layer in enumerate(layers) if layer["states"] > 2)
    name, layer = f"layer {k + 1}", layers[k]
    long = max(layer["data"], key=len)
    assert found(certificate, lambda p: p["layers"][k].update(closed="7")) == (
        f"{name}: {layer['closed']} choices became closed tours, not 7"
    )
    assert found(certificate, lambda p: p["layers"][k].update(states=1)) == (
        f"{name}: there are {layer['states']} states, not 1"
    )
    assert found(certificate, lambda p: p["layers"][k].update(sums=[1, 2, 3])) == (
        f"{name}: the sums of its numbers are {layer['sums']}"
    )
    assert found(certificate, lambda p: p["layers"][k].update(sha256="")) == f"{name}: its digest is {layer['sha256']}"
    assert found(certificate, lambda p: p["layers"][k]["data"].pop(long)) == (
        f"{name}: the number of the state {long[:60]!r} is {layer['data'][long]}"
    )
    more = "1-2 " * 20
    assert found(certificate, lambda p: p["layers"][k]["data"].update({more: 4})) == (
        f"{name}: the number of the state {more[:60]!r} is 0"
    )
    assert found(certificate, lambda p: p["layers"][k].pop("data")).startswith("checked: ")


def test_errors_about_layers(certificate):
    def words(change):
        with pytest.raises(kt.FormatError) as caught:
            found(certificate, change)
        return caught.value.message

    assert words(lambda p: p.update(order=["a1"])) == '"order" must be an integer of at least 0'
    assert words(lambda p: p.update(order=None)) == '"order" must be a list of at most 4,000,000 items'
    assert words(lambda p: p.update(layers=[1])) == '"layers" must be a list of objects'
    negative = words(lambda p: p["layers"][0].update(sums=[1, -2]))
    assert negative == 'layer 1, "sums" must be an integer of at least 0'
    assert words(lambda p: p["layers"][0].update(sums=None)) == 'layer 1, "sums" must be a list of integers'
    assert words(lambda p: p["layers"][1].update(data=[])) == 'layer 2: "data" must be an object'
    assert words(lambda p: p["layers"][1].update(closed=0)) == '"closed" must be a text'
    assert words(lambda p: p["layers"][1].update(states="1")) == '"states" must be an integer of at least 0'
