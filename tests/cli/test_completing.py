"""Tests of shell completion."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from helpers.examples import mostly_long
from knightstour.core.methods.table import METHODS
from knightstour.interfaces.cli import app, completing

SHELLS = {"bash": "complete", "zsh": "compdef", "fish": "complete --no-files --command knightstour"}


def offered(monkeypatch, *words: str) -> list[str]:
    """What is offered for the last word; a file of the shell's own is "<file>"."""
    monkeypatch.setenv("_KNIGHTSTOUR_COMPLETE", "bash_complete")
    for name in app.COMMANDS:  # a command learns its words when it is made, so it must be made now
        monkeypatch.delitem(sys.modules, f"knightstour.interfaces.cli.commands.{name}", raising=False)
    asked = ShellComplete(app.group, {}, "knightstour", "_KNIGHTSTOUR_COMPLETE")
    found = asked.get_completions(list(words[:-1]), words[-1])
    return ["<file>" if item.type == "file" else item.value for item in found]


@pytest.mark.parametrize(
    ("line", "some", "none"),
    [
        ("so", ["solve"], ["count"]),
        ("solve 8", ["8x8"], ["5x5"]),
        ("solve boards/c", ["<file>"], []),
        ("solve 4x5 --start a", ["a1", "a4"], ["a5", "b1"]),
        ("solve 5x5:-a1 --start a", ["a2"], ["a1"]),
        ("solve 5x5:-a1,b", ["5x5:-a1,b1", "5x5:-a1,b5"], ["b1"]),
        ("solve 8x8 --method wa", ["warnsdorff"], ["merge"]),
        ("solve 8x8 --method ", list(METHODS), []),
        ("solve 8x8:t", ["8x8:torus", "8x8:tripper"], ["8x8:klein"]),
        ("solve 8x8 --symmetry E", ["Eulerian"], ["180"]),
        ("solve 8x8 --format al", ["algebraic"], ["grid"]),
        ("draw t.json --th", ["--theme"], ["--style", "--set"]),
        ("sample 8x8 --distribution ", ["backbite", "uniform"], []),
        ("oeis check A1", ["A193055"], []),
        ("improve t.txt --minimize t", ["turns"], ["crossings"]),
        ("draw ", ["<file>"], []),
    ],
)
def test_the_words_that_come_next(line, some, none, monkeypatch):
    found = offered(monkeypatch, *line.split(" "))
    assert set(some) <= set(found), found
    assert not set(none) & set(found), found


@pytest.mark.parametrize("shell", mostly_long(SHELLS, 1))
def test_each_shell_gets_its_script(shell):
    done = subprocess.run(
        [sys.executable, "-m", "knightstour"],
        env={**os.environ, "_KNIGHTSTOUR_COMPLETE": f"{shell}_source"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert SHELLS[shell] in done.stdout
    if shutil.which(shell):
        assert subprocess.run([shell, "-n", "-c", done.stdout]).returncode == 0


def test_an_unknown_shell_is_an_error(capsys):
    assert completing.complete_words(app.group, "csh_source") == 2
    assert "bash_source" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_itself_completes():
    program = Path(sys.executable).parent / "knightstour"
    script = (
        f'eval "$(_KNIGHTSTOUR_COMPLETE=bash_source {program})"; COMP_WORDS=(knightstour solve 8x8 --method wa);'
        f' COMP_CWORD=4; _knightstour_completion {program}; echo "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "warnsdorff", done.stderr


def test_every_word_of_the_tables_is_a_parameter():
    names = set()
    for command in app.all_commands().values():
        names |= {parameter.name for parameter in command.get_params(click.Context(command))}
    assert set(completing.WORDS) <= names, set(completing.WORDS) - names
