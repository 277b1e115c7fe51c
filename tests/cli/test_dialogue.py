"""Tests of the dialogue, of corrected errors, and of a different tour for each call."""

import io
import re
import shlex

import pytest

from helpers.command_line import Answer
from knightstour.interfaces.cli import console, dialogue


def _talk(run, monkeypatch, text: str) -> Answer:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    monkeypatch.setattr(console, "is_terminal", lambda: True)
    return run("solve")


def _command(answer: Answer) -> list[str]:
    """Return the command at the end of the dialogue."""
    line = re.findall(r"The same by one command: knightstour (.*)", answer.out)[-1]
    return shlex.split(line)


def test_the_dialogue_has_a_default_for_everything(run, monkeypatch):
    answer = _talk(run, monkeypatch, "\n" * 9)
    assert answer.code == 0 and "64" in answer.out
    shown = answer.out.split("The same by one command")[0]
    assert run(*_command(answer)).out.strip() in shown


def test_dialogue_explains_an_invalid_answer_and_repeats(run, monkeypatch):
    answer = _talk(run, monkeypatch, "8x\n5x5\n\nx\nopen\na1\na1\nb1\nrule\n0\n1\nno\n")
    assert answer.code == 0
    assert "not a board" in answer.out and "same square" in answer.out and "not one of open, closed" in answer.out
    assert "impossible" in answer.out


@pytest.mark.parametrize(
    ("answer", "words"), [("Puzzle", ["puzzle", "6x6", "--level", "easy"]), ("play", ["serve", "--open"])]
)
def test_the_dialogue_offers_a_puzzle_and_to_play(answer, words, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr("sys.stdin", io.StringIO(f"?\n{answer}\n"))
    assert dialogue.converse(lambda words: asked.append(words) or 0)
    out = capsys.readouterr().out
    assert asked == [words] and out.endswith(f"The same by one command: knightstour {shlex.join(words)}\n")
    assert "puzzle" in out.splitlines()[1] and "play" in out.splitlines()[1]


def test_the_dialogue_explains_every_question(run, monkeypatch):
    answer = _talk(run, monkeypatch, "?\n\n" * 9)
    for question, words in dialogue._HELP.items():
        if question != "Watch the search?":
            assert question in answer.out and words[:30] in " ".join(answer.out.split()), question


def test_the_dialogue_takes_holes_ends_and_a_picture(run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    answer = _talk(run, monkeypatch, "6x6\na1,f1\nopen\nb1\n\n1\ntour.txt\ntour.svg\nno\n")
    assert answer.code == 0, answer
    assert "not the name of a picture" in answer.out and "tour.svg is written" in answer.out
    assert (tmp_path / "tour.svg").read_text().startswith("<svg")
    words = _command(answer)
    assert words[:4] == ["solve", "6x6:-a1,f1", "--start", "b1"] and words[-2:] == ["-o", "tour.svg"]
    assert run(*words).code == 0


def test_dialogue_finds_a_closed_tour_and_another(run, monkeypatch):
    answer = _talk(run, monkeypatch, "6x6\n\nclosed\nc3\nrandom\n1\nno\nyes\nno\nno\n")
    commands = re.findall(r"one command: (.*)", answer.out)
    assert answer.code == 0 and len(commands) == 2 and commands[0] != commands[1]
    assert all("--closed --start c3 --method merge" in command for command in commands)
    grids = re.findall(r"(?:^ *\d+(?: +\d+){5}\n){6}", answer.out, re.MULTILINE)
    assert len(grids) == 2 and grids[0] != grids[1]


def test_the_dialogue_ends_quietly_with_its_input(run, monkeypatch):
    answer = _talk(run, monkeypatch, "6x6\n\nclosed\n")
    assert answer.code == 0 and "Traceback" not in answer.out + answer.err


def test_the_dialogue_goes_on_with_another_board(run, monkeypatch):
    answer = _talk(run, monkeypatch, "5x6\n\nclosed\n\n\n2\nnew\n4x4\n\n\n\n\n\n\nno\n")
    assert answer.code == 0 and "30" in answer.out and "impossible" in answer.out


def test_errors_are_wrapped_at_the_width_of_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    text = console.wrap_text("a square that has a rather long name and is on no board of this size at all", 7)
    assert [len(line) <= 49 for line in text.split("\n")] == [True] * 2 and text.split("\n")[1].startswith(" " * 7)
