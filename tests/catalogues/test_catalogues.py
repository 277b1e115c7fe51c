"""Tests of catalogues: entries by an independent checker, complete lists by their sums, and damage."""

import json
from collections.abc import Iterator
from importlib import resources

import pytest

import knightstour as kt
from helpers.command_line import Run
from helpers.solving import several_tours
from helpers.stranger_catalogue import facts_of, images, squares_of
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.lab.catalogues.table import parse_entries, read_catalogue

DATA = resources.files("knightstour.lab.catalogues").joinpath("data")


def _text(name: str) -> str:
    return DATA.joinpath(f"{name}.txt").read_text(encoding="utf-8")


def _said(line: str) -> Iterator[tuple[str, str]]:
    for fact in line.split("\t")[3].split(";"):
        name, _, value = fact.partition("=")
        yield name, value


@pytest.mark.parametrize("name", [name for name in kt.examples.CATALOGUES if name != "closed-6x6"])
def test_independent_checker_accepts_every_entry(name: str) -> None:
    for line in _text(name).splitlines():
        found = facts_of(line)
        for fact, value in _said(line):
            if fact in found:
                assert found[fact] == int(value), line
    assert len(kt.examples.catalogue(name)) == len(_text(name).splitlines())


@pytest.mark.long
def test_independent_checker_accepts_every_closed_6x6_tour() -> None:
    for line in _text("closed-6x6").splitlines():
        found = facts_of(line)
        assert all(found[fact] == int(value) for fact, value in _said(line)), line


@pytest.mark.long
def test_the_classes_of_6x6_add_up_to_all_closed_tours() -> None:
    classes, images_of_all = 0, set()
    for line in _text("closed-6x6").splitlines():
        found = {
            frozenset(frozenset(move) for move in zip(image, [*image[1:], image[0]], strict=True))
            for image in images(squares_of(line.split("\t")[4]), 6)
        }
        assert images_of_all.isdisjoint(found)
        images_of_all |= found
        classes += 1
    assert (classes, len(images_of_all)) == (1245, 9862)


def test_magic_tours_are_in_distinct_classes_without_diagonals() -> None:
    seen: set[tuple[tuple[int, int], ...]] = set()
    for line in _text("magic-8x8").splitlines():
        alike = {tuple(way) for image in images(squares_of(line.split("\t")[4]), 8) for way in (image, image[::-1])}
        assert seen.isdisjoint(alike)
        seen |= alike
    magic = kt.examples.catalogue("magic-8x8")
    assert (len(magic), len(seen)) == (105, 105 * 16)
    assert sum(entry.facts["closed"] for entry in magic) == 44
    assert not any(entry.facts["magic-diagonals"] == 2 for entry in magic)


def test_uncrossed_lengths_match_the_oeis() -> None:
    lengths = {
        entry.name: entry.facts["visits"] - 1 + entry.facts["closed"] for entry in kt.examples.catalogue("uncrossed")
    }
    paths, cycles = {3: 2, 4: 5, 5: 10, 6: 17, 7: 24, 8: 35}, {4: 4, 5: 8, 6: 12, 7: 24, 8: 32}
    assert lengths == {f"path-{n}x{n}": m for n, m in paths.items()} | {f"cycle-{n}x{n}": m for n, m in cycles.items()}
    assert all(entry.facts["crossings"] == 0 for entry in kt.examples.catalogue("uncrossed"))


@pytest.mark.parametrize("which", range(1, 4))
@pytest.mark.long
def test_the_numbers_of_a_puzzle_have_one_solution(which: int) -> None:
    entry = kt.examples.catalogue("fewest-givens").entry(which)
    closed = bool(entry.facts["closed"])
    assert several_tours(entry.tour.board, closed=closed, given=entry.given, n=2) == [entry.tour]


@pytest.mark.long
def test_extremes_match_all_closed_tours() -> None:
    tours = list(kt.iter_tours("6x6", closed=True))
    for entry in kt.examples.catalogue("extremes-6x6"):
        [(name, value)] = [fact for fact in entry.facts.items() if fact[0] != "closed"]
        values = kt.measure(tours, [name], closed=True)[name]
        assert value == (values.min() if entry.name.startswith("least") else values.max()), entry.name


def test_the_wheel_holds_little() -> None:
    assert sum(len(_text(name)) for name in kt.examples.CATALOGUES) <= 300_000


def test_an_entry_has_a_certificate() -> None:
    for name, which in (("magic-8x8", 1), ("uncrossed", "path-5x5"), ("historical-8x8", "wenzelides")):
        assert kt.certificates.verify(kt.examples.catalogue(name).entry(which).certificate).is_right  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("turns=32", "turns=33", "turns is 32, not 33"),
        ("turns=32", "turn=32", "unknown statistic 'turn'"),
        ("\t6x6", "\t6x7", "its tour leaves 6 squares"),
        ("\t6x6", "\t5x6", ""),
        ("a6c5", "a6c6", ""),
        ("a6c5", "a6d5", ""),
        ("a6c5", "a6C5", "its squares cannot be read"),
        ("a6c5", "", "its tour leaves 2 squares"),
        ("closed=1;", "", "closed"),
        ("closed=1", "closed=one", ""),
        ("\t-\t", " ", ""),
        ("3\t", "4\t", "its number is '4'"),
    ],
)
def test_rejects_damaged_entries_with_their_number(old: str, new: str, why: str) -> None:
    good = "a6c5d3e1f3e5c6a5b3a1c2e3f1d2c4b6a4b2d1f2e4f6d5c3b1a3b5d6f5d4e6f4e2c1a2b4"
    lines = [f"{k}\t-\t6x6\tclosed=1;turns=32\t{good}\t-" for k in range(1, 5)]
    assert len(parse_entries("closed-6x6", "\n".join(lines))) == 4
    lines[2] = lines[2].replace(old, new, 1)
    with pytest.raises(FormatError) as error:
        parse_entries("closed-6x6", "\n".join(lines))
    assert "entry 3 of the catalogue closed-6x6 is damaged: " in str(error.value) and why in str(error.value)


def test_rejects_truncated_lists() -> None:
    row = kt.examples.CATALOGUES["uncrossed"]
    with pytest.raises(FormatError, match="entry 12 of the catalogue uncrossed is damaged: there are 11 of 12"):
        read_catalogue(row._replace(length=12))


def test_unknown_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(ProblemError, match="unknown catalogue 'magic-8x9'; did you mean 'magic-8x8'"):
        kt.examples.catalogue("magic-8x9")
    with pytest.raises(ProblemError, match="has no entry 'eulr'; did you mean 'euler'"):
        kt.examples.catalogue("historical-8x8").entry("eulr")
    with pytest.raises(ProblemError, match="has no entry 106"):
        kt.examples.catalogue("magic-8x8").entry(106)


def test_the_command_writes_tours_of_a_catalogue(run: Run) -> None:
    code, out, _ = run("examples", "historical-8x8:euler", "--format", "grid")
    assert code == 0 and out.splitlines()[0].split() == ["37", "62", "43", "56", "35", "60", "41", "50"]
    code, out, err = run("examples", "magic-8x8", "--format", "algebraic")
    assert code == 0 and len(out.splitlines()) == 105 and "105 of the 140 classes" in err
    code, out, _ = run("examples", "uncrossed:cycle-8x8", "--json")
    assert code == 0 and len(json.loads(out)["squares"]) == 32


def test_facts_of_a_board_name_its_catalogues(run: Run) -> None:
    code, out, _ = run("facts", "8x8")
    assert code == 0 and "magic-8x8" in out and "historical-8x8" in out and "closed-6x6" not in out
    _, out, _ = run("facts", "6x6", "--json")
    assert json.loads(out)["catalogues"] == ["closed-6x6", "extremes-6x6", "uncrossed", "fewest-givens"]


def test_terminal_shows_the_name_above_each_tour(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run("examples", "historical-8x8")[1]
    assert ":" not in plain
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    named = run("examples", "historical-8x8")[1]
    assert [line for line in named.splitlines() if ":" in line] == [
        f"historical-8x8:{entry.name}" for entry in kt.examples.catalogue("historical-8x8")
    ]
    assert "\n".join(line for line in named.splitlines() if ":" not in line) == plain.rstrip("\n")
    assert run("examples", "magic-8x8:3")[1].startswith("magic-8x8:3\n")


@pytest.mark.parametrize(("typed", "meant"), [("euler", "historical-8x8:euler"), ("path-4x", "uncrossed:path-4x4")])
def test_name_of_an_entry_alone_is_completed(typed: str, meant: str, run: Run) -> None:
    code, _, err = run("examples", typed)
    assert code == 2 and f"unknown example '{typed}'; did you mean '{meant}'?" in err


def test_list_with_sources_of_its_entries_has_no_empty_completeness(run: Run) -> None:
    note = run("examples", "historical-8x8")[2]
    assert note == "note: historical tours of the chessboard; sources: examples historical-8x8:1, ...\n"
    assert run("explain", "historical-8x8")[1].splitlines()[1:] == ["  historical tours of the chessboard"]


@pytest.mark.parametrize(
    ("board", "lists"),
    [
        ("4x4", ""),
        ("5x5", "uncrossed"),
        ("6x6", "NAME (closed-6x6, extremes-6x6, uncrossed, fewest-givens)"),
        ("5x6", ""),
    ],
)
def test_facts_refer_to_lists_with_tours_of_the_board(board: str, lists: str, run: Run) -> None:
    found = [line for line in run("facts", board)[1].splitlines() if line.startswith("see also")]
    assert found == ([f"see also         knightstour examples {lists}"] if lists else [])
