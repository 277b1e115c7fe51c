"""How large the command line is, and how its help looks."""

import json

import click
import pytest

from knightstour.core.methods.table import METHODS
from knightstour.interfaces.cli.app import COMMANDS, group


def command_of(name: str) -> click.Command:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    return command


def options_of(name: str) -> list[click.Option]:
    context = click.Context(command_of(name))
    return [
        each for each in command_of(name).get_params(context) if isinstance(each, click.Option) and each.name != "help"
    ]


def test_there_are_few_commands_and_options():
    assert len(COMMANDS) <= 20
    assert sum(len(options_of(name)) for name in COMMANDS) <= 323
    assert len(options_of("solve")) <= 36


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_on_a_screen_with_examples(name, run):
    code, out, _ = run(name, "--help")
    lines = out.splitlines()
    assert code == 0 and len(lines) <= 50
    examples = [line for line in lines if line.startswith("  knightstour ")]
    assert len(examples) == 2
    assert all(any(opt in out for opt in option.opts) for option in options_of(name))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_all_explains_every_option(name, capsys):
    from knightstour.interfaces.cli import app

    with pytest.raises(SystemExit):
        app.main([name, "--help-all"])
    out = " ".join(capsys.readouterr().out.split())
    for option in options_of(name):
        assert option.help and " ".join(option.help.split())[:40] in out, option.name


def test_watching_without_a_method_selects_a_watchable_one(run):
    code, out, _ = run("solve", "5x5", "--watch", "--json")
    assert code == 0 and METHODS[json.loads(out)["method"]].watchable


def test_the_first_puzzle_needs_no_board_and_is_easy(run):
    code, out, err = run("puzzle", "--seed", "1")
    assert code == 0 and len(out.splitlines()) == 6 and "easy, " in err
    code, out, err = run("puzzle", "5x5", "--seed", "1", "--json")
    assert code == 0 and json.loads(out)["level"] in ("easy", "medium")


def test_picture_of_a_reason_reports_the_written_file(tmp_path, run):
    target = str(tmp_path / "why.svg")
    code, _, err = run("solve", "4x8", "--closed", "--explain", "-o", target)
    assert code == 1 and f"{target} shows why" in err
