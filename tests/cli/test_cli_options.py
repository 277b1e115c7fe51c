"""Options of commands that would change nothing: each is refused, and says so."""

from types import SimpleNamespace

import pytest

from knightstour.core.formats.tours import write_tours
from knightstour.core.methods.solve import find_tour
from knightstour.interfaces.cli import app
from knightstour.interfaces.cli.commands import unrank


@pytest.mark.parametrize(
    "command, message",
    [
        (["check", "w.npy"], "valid closed tour of the 4x4 torus"),
        (["rank", "w.npy"], "1344\n"),
        (["convert", "w.npy", "--to", "algebraic"], "# board 4x4:torus\n"),
        (["draw", "w.npy", "--style", "boxes", "--ascii"], "4 |  1 |  8 | 13 |  4 |"),
    ],
)
def test_commands_read_diagrams_of_wrapped_boards_that_they_are_given(tmp_path, monkeypatch, capsys, command, message):
    monkeypatch.chdir(tmp_path)
    assert app._run(["unrank", "4x4:torus", "1344", "--closed", "-o", "w.npy"], debug=True) == 0
    assert app._run([*command, "4x4:torus"], debug=True) == 0
    assert message in capsys.readouterr().out


def test_convert_replaces_no_file_and_says_how_it_would(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_tours("t.json", find_tour((6, 6)))
    assert app._run(["convert", "t.json", "-o", "t.json"], debug=False) == 2
    assert "give another name, or --force to overwrite it" in capsys.readouterr().err


def test_numbers_of_thousands_of_digits_are_read_and_reported(monkeypatch, capsys):
    last = "1" + 5000 * "0"
    space = SimpleNamespace(count=10**5000, orders=lambda numbers: [find_tour((6, 6)).order for _ in numbers])
    monkeypatch.setattr(unrank, "space_of", lambda *given, **options: space)
    assert app._run(["unrank", "6x6", last, "--format", "algebraic"], debug=True) == 0
    assert 50 * "000," + "000 " in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "convert", "rank", "improve", "draw"])
def test_a_file_that_is_needed_is_asked_for(command, capsys):
    assert app._run([command], debug=False) == 2
    assert "Missing argument" in capsys.readouterr().err
