"""Tests of options of pictures: `draw`, and --style of `solve` and `unrank`."""

import json

import click
import pytest

from knightstour.core.formats.tours import write_tours
from knightstour.core.methods.solve import find_tour
from knightstour.interfaces.cli.app import all_commands

# A call of each command that writes a picture; t.json holds a closed tour of 6x6.
COMMANDS = {
    "solve": ["solve", "6x6", "--closed", "--seed", "1"],
    "sample": ["sample", "6x6", "--closed", "--seed", "1"],
    "enumerate": ["enumerate", "3x10", "--closed"],
    "unrank": ["unrank", "5x5", "7"],
    "convert": ["convert", "t.json"],
    "improve": ["improve", "t.json", "--timeout", "0.1"],
    "draw": ["draw", "t.json"],
}
STYLED = ("draw", "solve", "unrank")
OPTIONS = {
    "--style": "curve",
    "--theme": "dark",
    "--numbers": "5",
    "--coordinates": "",
    "--arrows": "",
    "--highlight": "b2",
    "--colors": "path=teal,background=ivory",
    "--line-width": "0.2",
    "--size": "333",
    "--paper": "A5 landscape",
    "--per-row": "1",
    "--fps": "5",
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tours("t.json", find_tour((6, 6), closed=True, seed=1))
    return tmp_path


def test_only_three_commands_have_a_style():
    for name, command in all_commands().items():
        flags = {flag for each in command.params if isinstance(each, click.Option) for flag in each.opts}
        assert ("--style" in flags) == (name in STYLED), name
        assert (set(OPTIONS) <= flags) == (name == "draw"), name


@pytest.mark.parametrize("flag", OPTIONS)
def test_draw_supports_each_option(flag, home, run):
    kind = {"--paper": "pdf", "--fps": "gif"}.get(flag, "svg")
    if kind == "pdf":
        pytest.importorskip("fpdf")
    target = home / f"a.{kind}"
    code, _, said = run(*COMMANDS["draw"], "-o", str(target), flag, *filter(None, [OPTIONS[flag]]))
    assert code == 0 and target.read_bytes(), said


@pytest.mark.parametrize("command", STYLED)
def test_a_style_changes_the_picture(command, home, run):
    plain, styled = home / "plain.svg", home / "styled.svg"
    assert run(*COMMANDS[command], "-o", str(plain))[0] == 0
    code, _, said = run(*COMMANDS[command], "-o", str(styled), "--style", "curve")
    assert code == 0 and "<title" in styled.read_text() and styled.read_text() != plain.read_text(), said


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"improve"}))
def test_a_piped_picture_matches_the_direct_one(command, home, run, monkeypatch):
    assert run(*COMMANDS[command], "-o", "direct.svg")[0] == 0
    assert run(*COMMANDS[command], "-o", "tours.json")[0] == 0 or command == "draw"
    assert run("draw", "t.json" if command == "draw" else "tours.json", "-o", "piped.svg")[0] == 0
    assert (home / "direct.svg").read_text() == (home / "piped.svg").read_text()


@pytest.mark.parametrize("command", ["solve", "sample", "enumerate"])
def test_several_tours_become_a_sheet(command, home, run):
    target = home / "sheet.svg"
    words = [*COMMANDS[command], "-n", "3", "-o", str(target)]
    assert run(*words)[0] == 0
    assert target.read_text().count("<svg") == 4


@pytest.mark.parametrize("command", ["solve", "unrank"])
def test_a_style_requires_a_picture(command, run):
    code, out, said = run(*COMMANDS[command], "--style", "curve")
    assert (code, out) == (2, "") and "--style requires a picture" in said and "-o tour.svg" in said


@pytest.mark.parametrize("command", ["solve", "unrank"])
def test_an_invalid_style_is_rejected_before_the_search(command, home, run):
    code, out, said = run(*COMMANDS[command], "-o", "x.gif", "--style", "mosaic")
    assert (code, out) == (2, "") and "mosaic" in said
    assert [path.name for path in home.iterdir()] == ["t.json"]


def test_a_picture_and_json_are_written_together(home, run):
    code, out, _ = run(*COMMANDS["solve"], "--json", "-o", "a.svg", "--style", "line")
    assert code == 0 and json.loads(out)["squares"] and (home / "a.svg").exists()


@pytest.mark.parametrize("output", [[], ["-o", "x.svg"]])
def test_unknown_style_of_draw_lists_both_groups(output, home, run):
    code, _, err = run("draw", "6x6", "--style", "pretty", *output)
    assert code == 2 and "unknown style 'pretty'\nhelp: on a terminal: lines, blocks, boxes, ascii; with -o, " in err
    assert "did you mean 'blocks'?" in run("draw", "6x6", "--style", "bocks", *output)[2]
    assert "a picture does not support the style boxes" in run("draw", "6x6", "--style", "boxes", "-o", "x.svg")[2]
