"""Tests of the sequences: published terms against counts, boards against definitions, and all interfaces."""

import itertools
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.examples import mostly_long
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.lab.sequences.check import forecast_terms
from knightstour.lab.sequences.families import Antidiagonals, Prefixes, Squares, Strips, Triangle
from knightstour.lab.sequences.kinds import ByEnds
from knightstour.lab.sequences.sequence import number_of, published_entries
from knightstour.lab.sequences.table import SEQUENCES

# Squares of the boards whose terms are counted by default: their counts take milliseconds.
FEW = 24
MAX_LONG_SECONDS = 20
NUMBERS = sorted(SEQUENCES)


def small_terms(sequence: kt.sequences.Sequence) -> list[int]:
    """Return indices of terms of small boards, and of a few longer ones with 3 or 4 rows."""
    indices = range(sequence.offset, sequence.last + 1)
    small = [n for n in indices if len(sequence.board(n)) <= FEW]
    return small or [sequence.offset]


# ---------------------------------------------------------------- the table


@pytest.mark.parametrize("number", mostly_long(NUMBERS, 15))
def test_small_published_terms_match_counts(number: str) -> None:
    sequence = SEQUENCES[number]
    counted = {n: sequence.term(n) for n in small_terms(sequence)}
    assert counted == {n: sequence.published_term(n) for n in counted}


@pytest.mark.long
@pytest.mark.parametrize("number", NUMBERS)
def test_published_terms_match_counts(number: str) -> None:
    check = kt.sequences.check(number, timeout=MAX_LONG_SECONDS)
    assert check.wrong_terms == [] and len(check.counted_terms) >= 3
    assert [term.n for term in check.terms] == list(range(SEQUENCES[number].offset, SEQUENCES[number].last + 1))


def test_every_row_has_published_terms_and_an_index_entry() -> None:
    assert sorted(published_entries()) == NUMBERS and len(NUMBERS) == 73
    for number, sequence in SEQUENCES.items():
        assert sequence.number == number and sequence.offset == sequence.entry.offset
        assert sequence.last - sequence.offset + 1 == len(sequence.entry.terms) > 3
        assert sequence.entry.author and sequence.reach


def test_offsets_match_the_first_term_above_one() -> None:
    import tomllib
    from importlib import resources

    text = resources.files("knightstour.lab.sequences").joinpath("published.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)
    del entries["read"]
    for number, entry in entries.items():
        large = [place for place, term in enumerate(published_entries()[number].terms, 1) if abs(term) > 1]
        assert entry["offset"] == [SEQUENCES[number].offset, large[0]], number


# ---------------------------------------------------------------- families of boards


@pytest.mark.parametrize(
    "family",
    [Strips(3), Strips(5, 2), Strips(4, 2, -1), Squares(), Squares(2), Triangle(), Prefixes(3), Prefixes(8, 2)],
)
@given(n=st.integers(1, 300))
def test_a_board_leads_back_to_its_index(family, n):
    board = family.board(n)
    assert family.index(board) == n
    assert family.index(Board(board.rows, board.cols, wrap="torus")) is None


@given(n=st.integers(1, 2000))
def test_an_antidiagonal_has_a_board_and_the_same_turned(n):
    board = Antidiagonals().board(n)
    turned = Board(board.cols, board.rows)
    first = Antidiagonals().index(board)
    assert first == Antidiagonals().index(turned) and first <= n
    assert Antidiagonals().board(first) in (board, turned)


def test_arrays_have_every_board_once():
    places = list(itertools.product(range(1, 8), repeat=2))
    read = [Antidiagonals().board(n) for n in range(1, 92)]
    assert [(b.rows, b.cols) for b in read[:6]] == [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1)]
    assert {(b.rows, b.cols) for b in read} >= set(places) and len(set(read)) == len(read)
    rows = [Triangle().board(n) for n in range(1, 29)]
    assert [(b.rows, b.cols) for b in rows] == [(k, m) for k in range(1, 8) for m in range(1, k + 1)]


# ---------------------------------------------------------------- kinds of tours


@pytest.mark.parametrize("cols", range(4, 8))
@pytest.mark.parametrize("is_symmetric", [False, True])
def test_tours_by_ends_match_listing(cols: int, is_symmetric: bool) -> None:
    board = Board(3, cols)
    found = dict.fromkeys("XFB", 0)
    for tour in kt.iter_tours(board):
        if is_symmetric and "180" not in tour.symmetries:
            continue
        (r, c), (s, d) = sorted(tour.squares[[0, -1]].tolist(), key=lambda square: square[1])
        is_corner = (r + c) % 2 == 0, (s + d) % 2 == (cols - 1) % 2
        kind = "X" if c == d else {(True, True): "F", (False, False): "B"}[is_corner]
        found[kind] += 1
    from knightstour.lab.counting.settings import CountSettings

    assert {kind: ByEnds(kind, is_symmetric).count(board, CountSettings()).value for kind in "XFB"} == found


# ---------------------------------------------------------------- which sequences a count belongs to


def test_a_count_is_found_at_its_places():
    def places(*args, **asked):
        return {(place.sequence.number, place.n) for place in kt.sequences.find(*args, **asked)}

    assert places("6x8", closed=True) == {
        ("A175881", 8),
        ("A193055", 6),
        ("A392000", 84),
        ("A383662", 24),
        ("A383664", 24),
    }
    assert places("8x6", closed=True) == places("6x8", closed=True)
    assert ("A165134", 8) in places("8x8", directed=True) and ("A308131", 8) in places("8x8")
    assert places((3, 10), closed=True, up_to_symmetry=True) == {("A169769", 10)}
    assert places((3, 10), closed=True, symmetry="vertical") == {("A169765", 10)}
    assert places(Board(5, 4, holes=[(3, 3), (4, 3)]), closed=True) == {("A383661", 9)}
    assert places(Board(8, 8, wrap="torus"), closed=True) == set()
    assert places("8x8:wazir", closed=True) == {("A003763", 4)}
    assert places("5x5:king", closed=True) == {("A140519", 5), ("A339202", 5)}
    assert places("tri:5", closed=True) == {("A112676", 5)} and places("tri:5:king", closed=True) == set()
    assert places("hex:3:king", closed=True) == places("2x3x4", closed=True) == set()
    assert kt.sequences.find("8x30", closed=True)[0].value is None


@pytest.mark.parametrize("number", NUMBERS)
def test_found_terms_match_their_boards(number: str) -> None:
    sequence = SEQUENCES[number]
    for n in (sequence.offset, sequence.last):
        kind = sequence.kind
        asked = {name: getattr(kind, name, False) for name in ("directed", "up_to_symmetry")}
        found = kt.sequences.find(
            sequence.board(n), closed=kind.closed, symmetry=getattr(kind, "symmetry", None), **asked
        )
        if type(kind).__name__ == "AllTours" and not kind.partial and sequence.times == sequence.parts == 1:
            mine = [place for place in found if place.sequence is sequence]
            assert len(mine) == 1 and mine[0].value == sequence.published_term(mine[0].n)
            assert mine[0].value == sequence.published_term(n)
        else:
            assert sequence not in [place.sequence for place in found]


# ---------------------------------------------------------------- checks and errors


@pytest.fixture
def publish(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that replaces the published terms, from index 1."""

    def replace_terms(number: str, *terms: int) -> None:
        entries = published_entries()
        entry = entries[number]._replace(offset=1, terms=terms)
        monkeypatch.setattr("knightstour.lab.sequences.sequence.published_entries", lambda: {**entries, number: entry})

    return replace_terms


def test_check_reports_counted_and_skipped_terms(publish):
    publish("A175855", 0, 0, 8, 44202)
    check = kt.sequences.check("A175855", timeout=60, max_nodes=500)
    assert [term.value for term in check.terms] == [0, 0, 8, None]
    assert [term.n for term in check.skipped_terms] == [4] and "500 states" in check.skipped_terms[0].reason
    assert str(check) == "A175855: 3 of 4 published terms counted, and equal; 1 skipped"
    with pytest.raises(kt.LimitReached, match=r"no term of A389756 could be counted: .* at n = 49"):
        kt.sequences.extend("A389756", timeout=1e-6)


def test_a_wrong_term_is_found(publish):
    terms = []
    publish("A175855", 0, 0, 8, 44203)
    check = kt.sequences.check("A175855", on_term=terms.append)
    assert [(term.n, term.value, term.published) for term in check.wrong_terms] == [(4, 44202, 44203)]
    assert sorted(terms) == list(check.terms)


def test_a_sequence_goes_on():
    assert [tuple(term[:2]) for term in kt.sequences.extend("A070030", first=5, last=7)] == [
        (5, 16),
        (6, 176),
        (7, 1536),
    ]
    beyond = kt.sequences.extend("A070030", last=25)
    assert [term.n for term in beyond] == [24, 25] and beyond[0].published is None
    assert beyond[1].value == kt.count((3, 50), closed=True)


@pytest.mark.parametrize(
    "ask, said",
    [
        (lambda: kt.sequences.check("A000001"), "unknown sequence A000001"),
        (lambda: kt.sequences.check("knight"), "not an A-number: 'knight'"),
        (
            lambda: kt.sequences.extend("A169765", first=3, last=5),
            "A169765 begins at n = 4, so there is no a.3.",
        ),
        (lambda: kt.sequences.extend("A070030"), "a sequence is infinite"),
        (lambda: kt.sequences.extend("A070030", first=9, last=8), "last cannot be 8: first is 9"),
        (lambda: SEQUENCES["A070030"].term(0), "begins at n = 1"),
        (lambda: kt.sequences.find(kt.Problem("8x8", start="a1")), "sequences do not support given ends"),
    ],
)
def test_meaningless_input_is_one_clear_error(ask, said):
    with pytest.raises(kt.ProblemError, match=said):
        ask()


@given(st.integers(1, 9_999_999))
def test_an_a_number_has_one_form(number):
    wanted = f"A{number:06}"
    assert {number_of(form) for form in (number, str(number), wanted, wanted.lower())} == {wanted}


# ---------------------------------------------------------------- checkpoints and files


def test_finished_terms_are_not_counted_again(tmp_path, monkeypatch, publish):
    folder = tmp_path / "terms"
    first = kt.sequences.extend("A175855", first=3, last=4, checkpoint=folder)
    asked: list[int] = []
    count = kt.sequences.Sequence.count
    monkeypatch.setattr(
        kt.sequences.Sequence, "count", lambda self, n, settings: asked.append(n) or count(self, n, settings)
    )
    publish("A175855", 0, 0, 8, 44202, 13311268)
    check = kt.sequences.check("A175855", checkpoint=folder)
    assert 5 in asked and not {3, 4} & {*asked} and [term.value for term in check.terms] == [0, 0, 8, 44202, 13311268]
    assert check.terms[2].seconds == pytest.approx(first[0].seconds, abs=1e-5)


@pytest.mark.long
def test_interrupted_count_is_resumed(tmp_path):
    folder = tmp_path / "terms"
    limits = Limits(nodes=1_000_000)
    with pytest.raises(kt.LimitReached, match="no term of A175881"):
        kt.sequences.extend("A175881", first=12, last=12, **as_arguments(limits), checkpoint=folder)
    assert (folder / "term-12" / "progress.json").exists()
    found = kt.sequences.extend("A175881", first=12, last=12, checkpoint=folder)
    assert [term.value for term in found] == [SEQUENCES["A175881"].published_term(12)]
    assert [path.name for path in folder.iterdir()] == ["terms.json"]


def test_rejects_checkpoints_of_other_sequences(tmp_path):
    folder = tmp_path / "terms"
    kt.sequences.extend("A175855", first=3, last=3, checkpoint=folder)
    kt.sequences.extend("A175855", first=3, last=3, checkpoint=folder)
    with pytest.raises(kt.FormatError, match="contains terms of A175855, not of A175881"):
        kt.sequences.extend("A175881", first=3, last=3, checkpoint=folder)
    file = folder / "terms.json"
    whole = file.read_text()
    for text, said in ((whole.replace('"8"', '"9"'), "checksum is wrong"), (whole[:-9], "is damaged"), ("{}", "vers")):
        file.write_text(text)
        with pytest.raises(kt.FormatError, match=said):
            kt.sequences.extend("A175855", first=3, last=3, checkpoint=folder)


# ---------------------------------------------------------------- the command line


def test_the_command_line_lists_tells_and_finds(run):
    code, out, _ = run("oeis", "list")
    assert code == 0 and len(out.splitlines()) == len(SEQUENCES) + 1
    rows = [json.loads(line) for line in run("oeis", "list", "--json")[1].splitlines()]
    assert {row["number"] for row in rows} == set(SEQUENCES)
    out = run("oeis", "list", "a193055")[1]
    assert "undirected closed tours of 8 x n boards" in out and "read on 2026-11-23" in out
    assert "A175881  n = 8 " in run("oeis", "find", "6x8", "--closed")[1]
    code, out, err = run("oeis", "find", "6x8:torus")
    assert (code, out) == (0, "") and "no sequence of the list contains this count" in err


def test_the_command_line_goes_on(run):
    assert (
        run("oeis", "extend", "A070030", "--timeout", "60", "--first", "5", "--last", "7")[1] == "5 16\n6 176\n7 1536\n"
    )
    found = json.loads(run("oeis", "extend", "A070030", "--timeout", "60", "--last", "24", "--json")[1])["counted"]
    assert [(term["n"], term["value"]) for term in found] == [(24, str(kt.count((3, 48), closed=True)))]


def test_forecast_ends_with_first_terms_of_endless_list():
    forecast = forecast_terms(SEQUENCES["A169696"], itertools.count(1))
    assert forecast is not None and forecast.is_least
    assert forecast_terms(SEQUENCES["A169766"], range(4, 20)) is None
