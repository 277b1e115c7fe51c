"""`draw` has the options of pictures; other commands that write pictures have --style, and say where the rest is."""

import json

import click
import pytest

from knightstour.core.drawing.styles import LOOK_OPTIONS, SHEET_OPTIONS
from knightstour.core.formats.tours import write_tours
from knightstour.core.methods.solve import find_tour
from knightstour.interfaces.cli import app
from knightstour.interfaces.cli.picture_options import flag_of

# What each command is asked; t.json holds a closed tour of 6x6.
COMMANDS = {
    "solve": ["solve", "6x6", "--closed", "--seed", "1"],
    "sample": ["sample", "6x6", "--closed", "--seed", "1"],
    "enumerate": ["enumerate", "3x10", "--closed", "-n", "1"],
    "unrank": ["unrank", "5x5", "7"],
    "convert": ["convert", "t.json"],
    "improve": ["improve", "t.json", "--max-nodes", "50", "--seed", "1"],
    "draw": ["draw", "t.json"],
}
# An option of the look that the style board uses, as it is typed; "" for a flag.
WORDS = (
    "style=curve theme=dark colors=path=teal numbers=5 labels=a1=here coordinates= arrows= highlight=b2 "
    "line_width=0.2 size=333 paper=a5 title=Mine window=0,0,2,2 per_row=1 fps=5"
)
TYPED = dict(word.partition("=")[::2] for word in WORDS.split())


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tours("t.json", find_tour((6, 6), closed=True, seed=1))
    return tmp_path


def typed(name: str) -> list[str]:
    return [flag_of(name), TYPED[name]] if TYPED[name] else [flag_of(name)]


def extension_of(name: str) -> str:
    """Of a kind of picture that has the option."""
    return {"paper": "pdf", "fps": "gif"}.get(name, "svg")


def test_every_option_and_every_command_is_tried():
    assert set(TYPED) == {*LOOK_OPTIONS, *SHEET_OPTIONS}
    with_looks = set()
    for name in app.COMMANDS:
        command = app.group.get_command(click.Context(app.group), name)
        names = {each.name for each in command.get_params(click.Context(command)) if isinstance(each, click.Option)}
        if "style" in names:
            with_looks.add(name)
            assert set(TYPED) & names == (set(TYPED) if name == "draw" else {"style"}), name
    assert with_looks == set(COMMANDS)


@pytest.mark.parametrize("name", TYPED)
def test_draw_takes_every_option(name, home, run):
    if extension_of(name) == "pdf":
        pytest.importorskip("fpdf")
    target = home / f"a.{extension_of(name)}"
    code, _, said = run(*COMMANDS["draw"], "-o", str(target), *typed(name))
    assert code == 0 and target.read_bytes(), said


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_draws_its_tours_in_a_style(command, home, run):
    plain, styled = home / "plain.svg", home / "styled.svg"
    assert run(*COMMANDS[command], "-o", str(plain))[0] == 0
    code, _, said = run(*COMMANDS[command], "-o", str(styled), "--style", "curve")
    assert code == 0 and "<title" in styled.read_text() and styled.read_text() != plain.read_text(), said


@pytest.mark.parametrize("command", ["solve", "sample", "enumerate"])
def test_several_tours_become_a_sheet(command, home, run):
    target = home / "sheet.svg"
    words = [*COMMANDS[command], "-n", "3", "-o", str(target)]
    assert run(*words)[0] == 0
    assert target.read_text().count("<svg") == 4


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"draw"}))
def test_a_style_without_a_picture_is_refused(command, run):
    code, out, said = run(*COMMANDS[command], "--style", "curve")
    assert (code, out) == (2, "") and "--style goes with a picture" in said and "-o tour.svg" in said


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"draw"}))
def test_each_command_refuses_a_style_before_the_work(command, home, run):
    code, out, said = run(*COMMANDS[command], "-o", "x.gif", "--style", "mosaic")
    assert (code, out) == (2, "") and "the style mosaic has no animations" in said
    assert [path.name for path in home.iterdir()] == ["t.json"]


def test_a_picture_and_its_numbers_come_together(home, run):
    code, out, _ = run(*COMMANDS["solve"], "--json", "-o", "a.svg", "--style", "line")
    assert code == 0 and json.loads(out)["squares"] and (home / "a.svg").exists()
