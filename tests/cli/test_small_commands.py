"""Tests of convert, cache and explain; of boards in files; and of notes on long counts."""

import json
import re
from types import SimpleNamespace

import pytest

import knightstour as kt
from knightstour.core.drawing.styles import STYLES
from knightstour.core.formats.table import FORMATS
from knightstour.core.methods.table import METHODS
from knightstour.interfaces.cli import app
from knightstour.interfaces.cli.commands import count as count_command
from knightstour.interfaces.cli.commands import unrank
from knightstour.interfaces.cli.commands.explain import glossary
from knightstour.interfaces.cli.options import limits_of
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS


def said(run, *words: str) -> str:
    """Return the output of a successful command."""
    code, out, err = run(*words)
    assert code == 0, err
    return out


@pytest.mark.parametrize(
    ("words", "change"),
    [
        (["--rotate", "90"], lambda t: t.rotated(90)),
        (["--reflect", "diagonal"], lambda t: t.reflected("diagonal")),
        (["--canonical"], lambda t: t.canonical()),
        (["--reflect", "vertical", "--rotate", "180"], lambda t: t.rotated(180).reflected("vertical")),
    ],
)
def test_convert_changes_tours(words, change, tmp_path, run):
    tour = kt.find_tour("5x6", closed=True, seed=3)
    kt.write_tours(tmp_path / "t.txt", [tour])
    assert kt.parse_tours(said(run, "convert", str(tmp_path / "t.txt"), *words)) == [change(tour)]


def test_cache_command_clears_cached_files(tmp_path, monkeypatch, run):
    monkeypatch.setattr("knightstour.lab.counting.spaces.file.cache_folder", lambda: tmp_path)
    (tmp_path / "8x8-closed-1.space").write_bytes(b"x" * 2000)
    (tmp_path / "other").write_bytes(b"kept")
    assert said(run, "cache", "--clear").endswith(": deleted 2 kB in 1 file\n")
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_long_count_is_announced_at_its_start(monkeypatch, run):
    monkeypatch.setattr(count_command, "_LONG_SQUARES", 0)
    _, _, err = run("count", "6x6", "--closed")
    assert "this count needs" not in err
    monkeypatch.setattr(count_command, "_LONG_SECONDS", -1)
    code, out, err = run("count", "6x6", "--closed")
    assert (code, out) == (0, "9862\n")
    assert re.match(r"note: this count needs about .* of one processor and .*\nhelp: --checkpoint", err)


def test_count_uses_half_of_free_memory_by_default(monkeypatch):
    monkeypatch.setattr("knightstour.core.machine.memory.available_bytes", lambda: 10**10)
    assert limits_of(None).bytes == 5 * 10**9
    assert limits_of(None, memory="3GB").bytes == 3 * 10**9


def test_puzzle_reports_if_it_needs_more_numbers_than_requested(run):
    code, _, err = run("puzzle", "5x5", "--clues", "1", "--seed", "1")
    assert code == 0 and "clues, since it needs all of them" in err
    code, _, err = run("puzzle", "5x5", "--clues", "20", "--seed", "1")
    assert code == 0 and "clues, since" not in err


@pytest.mark.parametrize(
    "command, message",
    [
        (["check", "w.npy"], "valid closed tour of the 4x4 torus"),
        (["rank", "w.npy"], "1344\n"),
        (["convert", "w.npy", "--format", "algebraic"], "# board 4x4:torus\n"),
        (["draw", "w.npy", "--style", "boxes"], "4 │  1 │  8 │ 13 │  4 │"),
    ],
)
def test_commands_read_diagrams_of_wrapped_boards_that_they_are_given(tmp_path, monkeypatch, capsys, command, message):
    monkeypatch.chdir(tmp_path)
    assert app._run(["unrank", "4x4:torus", "1344", "--closed", "-o", "w.npy"], debug=True) == 0
    assert app._run([*command, "4x4:torus"], debug=True) == 0
    assert message in capsys.readouterr().out


def test_numbers_of_thousands_of_digits_are_read_and_reported(monkeypatch, capsys):
    last = "1" + 5000 * "0"
    space = SimpleNamespace(count=10**5000, orders=lambda numbers: [kt.find_tour((6, 6)).order for _ in numbers])
    monkeypatch.setattr(unrank, "TourSpace", lambda *given, **options: space)
    assert app._run(["unrank", "6x6", last, "--format", "algebraic"], debug=True) == 0
    assert 50 * "000," + "000 " in capsys.readouterr().err


# ---------------------------------------------------------------- explain


def test_explain_lists_every_row_of_the_tables(run):
    code, out, _ = run("explain")
    names = {line.split()[0] for line in out.splitlines() if line.startswith("  ")}
    assert code == 0 and {*METHODS, *DISTRIBUTIONS, *FORMATS, *STYLES} <= names
    tables = json.loads(run("explain", "--json")[1])
    assert set(tables["method"]) == set(METHODS) and set(tables["distribution"]) == set(DISTRIBUTIONS)


def test_one_method_is_explained_with_its_settings_and_lines(run):
    _, out, _ = run("explain", "rotation")
    assert out.startswith("rotation, a method:\n") and "backtracking" not in out
    assert out.endswith("".join(f"  {line.text}\n" for line in METHODS["rotation"].pseudocode))
    row = json.loads(run("explain", "rotation", "--json")[1])["method"]
    assert row["pseudocode"][0] == {"text": METHODS["rotation"].pseudocode[0].text, "moments": ["stage", "put"]}
    assert "--set ties=: rule for breaking ties" in run("explain", "warnsdorff")[1]
    assert "can prove that no tour exists" in run("explain", "backtracking")[1]
    assert run("explain", "rotations")[1].startswith("rotation, a method:")


@pytest.mark.parametrize(
    ("word", "meanings"),
    [
        ("king", ["king, a piece:", "a piece that leaps (0, 1) and (1, 1), as in 8x8:king"]),
        ("torus", ["torus, a wrap:", "the left and right sides are joined", "torus, a family:"]),
        ("tour", ["tour: a walk that visits every square of the board once", "tour, a format:"]),
        ("leaper", ["leaper: a piece of one leap"]),
        ("Closed", ["closed: a closed tour has a move from its last square"]),
        ("hole", ["hole: a square that is cut out"]),
        ("box", ["box: a board of cells"]),
        ("cylinder", ["cylinder, a wrap:"]),
        ("statistics", ["statistic: a number that a tour has"]),
        ("eulerian", ["Eulerian: (180) a half turn"]),
        ("turns", ["turns, a statistic:"]),
        ("start", ["start: first square of a tour"]),
        ("end", ["end: last square of a tour"]),
        ("open tours", ["open: an open tour has no move"]),
        ("unrank", ["unrank: compute a tour of a board from its number"]),
        ("numbering", ["the square of number 1"]),
        ("leap", ["m squares along one axis and n along the other, written (m, n)"]),
        ("halves", ["half: the part of a tour"]),
        ("dead end", ["dead end: a path"]),
        ("symmetries", ["symmetry: a rotation or reflection"]),
        ("clue", ["clue: the same as given: a square"]),
        ("edge", ["edge: the same as move: two squares"]),
        ("plan", ["plan: the algorithm of a count"]),
        ("Hamiltonian", ["Hamiltonian: a path or cycle that visits every node"]),
        ("queens", ["queen: a sliding piece, which boards do not support"]),
        ("score", ["score: sum over the steps"]),
    ],
)
def test_explain_prints_all_meanings_of_a_word(word, meanings, run):
    code, out, err = run("explain", *word.split())
    assert (code, err) == (0, "") and all(meaning in out for meaning in meanings)
    record = json.loads(run("explain", word, "--json")[1])
    assert len(record) == 1 + sum(": " in line or line.endswith(":") for line in out.splitlines() if line[0] != " ")


def test_each_word_has_its_own_meaning():
    meanings = {word: text for word, text in glossary().items() if not text.startswith("the same as ")}
    # A row of the glossary with several words is right only if all of them have the same meaning.
    shared = {word for word, text in meanings.items() if list(meanings.values()).count(text) > 1}
    assert shared == {"queen", "rook", "bishop"}
    assert {"clue", "transition", "edge", "vertex"} <= glossary().keys() - meanings.keys()


def test_explain_names_near_words_alone(run):
    for word in ("warnsdorfff", "xyzzy"):
        code, out, err = run("explain", word)
        assert (code, out) == (2, "") and len(err) < 200
