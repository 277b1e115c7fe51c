"""Tests of the size of the command line, and of its help."""

import json

import pytest

from knightstour.core.methods.table import METHODS
from knightstour.interfaces.cli.app import COMMANDS, all_commands
from knightstour.interfaces.cli.help import FIRST, Command

LEAVES = {name: command for name, command in all_commands().items() if isinstance(command, Command)}
# Most options of a first screen, and most lines of it at 80 columns.
MOST_OPTIONS, MOST_LINES = 14, 40


def test_there_are_few_commands_and_options():
    assert len(COMMANDS) == 21
    assert sum(len(command.params) for command in LEAVES.values()) <= 250
    assert max(len(command.params) for command in LEAVES.values()) <= 29


@pytest.mark.parametrize("name", LEAVES)
def test_the_first_screen_has_few_options_and_an_example(name, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run(*name.split(), "--help")
    lines = out.splitlines()
    assert code == 0 and len(lines) <= MOST_LINES and max(map(len, lines)) <= 80
    assert any(line.startswith("  $ knightstour ") for line in lines)
    assert len(LEAVES[name].groups[FIRST]) <= MOST_OPTIONS
    for title, options in LEAVES[name].groups.items():
        for option in options:
            assert max(option.opts, key=len) in out, (title, option.name)


@pytest.mark.parametrize("name", LEAVES)
def test_help_all_explains_every_option(name, capsys, monkeypatch):
    from knightstour.interfaces.cli import app

    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit):
        app.main([*name.split(), "--help-all"])
    out = " ".join(capsys.readouterr().out.split())
    for options in LEAVES[name].groups.values():
        for option in options:
            assert option.help and " ".join(option.help.split())[:40] in out, option.name


@pytest.mark.parametrize("words", [[], ["--help"], ["puzzle"], ["oeis"]], ids=str)
def test_a_group_prints_its_commands(words, run):
    code, out, err = run(*words)
    assert (code, err) == (0, "") and ("extend" if words == ["oeis"] else "solve") in out


def test_solve_without_a_board_needs_a_terminal(run):
    code, _, err = run("solve")
    assert code == 2 and "missing argument 'BOARD'" in err


def test_watch_selects_a_method_with_steps(run):
    code, out, _ = run("solve", "5x5", "--watch", "--json")
    assert code == 0 and METHODS[json.loads(out)["method"]].watchable


def test_a_puzzle_of_a_board_is_made(run):
    made = run("puzzle", "5x5", "--seed", "1", "--json")
    assert made == run("puzzle", "make", "5x5", "--seed", "1", "--json")
    assert made.code == 0 and json.loads(made.out)["level"] in ("easy", "medium")


def test_the_picture_of_a_reason_is_written(tmp_path, run):
    target = str(tmp_path / "why.svg")
    code, _, err = run("solve", "4x8", "--closed", "--why", "-o", target)
    assert code == 1 and f"{target} shows why" in err


def test_a_file_is_overwritten_unless_it_is_an_input(tmp_path, run):
    path = tmp_path / "t.json"
    assert run("solve", "5x5", "--seed", "1", "-o", str(path)).code == 0
    assert run("solve", "6x6", "--seed", "1", "-o", str(path)).code == 0
    before = path.read_bytes()
    code, _, err = run("convert", str(path), "--rotate", "90", "-o", str(path))
    assert code == 2 and "would overwrite its own input" in err and path.read_bytes() == before


def test_a_folder_with_other_files_is_not_overwritten(tmp_path, run):
    (tmp_path / "letter.txt").write_text("mine")
    code, _, err = run("examples", "flower:n=5..7", "-o", f"{tmp_path}/")
    assert code == 2 and "the folder contains other files, such as letter.txt" in err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_run_overwrites_files_of_an_earlier_run(tmp_path, run):
    for _ in range(2):
        assert run("examples", "flower:n=5..7", "-o", f"{tmp_path}/graphs/").code == 0
    assert (tmp_path / "graphs" / "2.hcp").exists()
