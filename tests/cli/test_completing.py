"""Tests of shell completion."""

import contextlib
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
    """Return the completions of the last word; "<file>" for file names."""
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
        ("puzzle 6x6 --level ", ["easy", "any"], []),
        ("puzzle 6x6 --level easy,h", ["easy,hard"], ["easy,easy"]),
        ("solve 8x8 --method annealing --set ", ["hot="], ["move_order=classic"]),
        ("compare 6x6 --set move", ["move_order="], ["hot="]),
        ("explain tor", ["torus"], ["warnsdorff"]),
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
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("knightstour solve 8x8 --method wa", "knightstour solve 8x8 --method warnsdorff"),
        ("knightstour solve 8x8:to", "knightstour solve 8x8:torus"),  # bash splits words at the colon
        ("knightstour solve 8x8:king:to", "knightstour solve 8x8:king:torus"),
        ("knightstour draw t.json --style=cu", "knightstour draw t.json --style=curve"),
        ("knightstour puzzle 6x6 --level ea", "knightstour puzzle 6x6 --level easy"),
    ],
)
def test_bash_itself_completes(line, completed, tmp_path):
    pid, terminal = pytest.importorskip("pty").fork()
    if pid == 0:
        os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        os.chdir(tmp_path)
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    # Ctrl-A and echo print the completed line.
    script = 'eval "$(_KNIGHTSTOUR_COMPLETE=bash_source knightstour)"'
    os.write(terminal, f"{script}\n{line}\t\x01echo completed: \nexit\n".encode())
    printed = b""
    with contextlib.suppress(OSError):  # the terminal is closed when bash ends
        while part := os.read(terminal, 4096):
            printed += part
    os.waitpid(pid, 0)
    os.close(terminal)
    assert f"\ncompleted: {completed}" in printed.decode().replace("\r", "\n"), printed


def test_every_word_of_the_tables_is_a_parameter():
    names = set()
    for command in app.all_commands().values():
        names |= {parameter.name for parameter in command.get_params(click.Context(command))}
    assert set(completing.WORDS) <= names, set(completing.WORDS) - names
