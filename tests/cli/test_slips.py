"""Slips of those who type: a name with a letter wrong, a file in no directory, a wish that cannot be met."""

import pytest

SLIPS = {
    "a method": (("solve", "8x8", "--method", "warnsdorf"), "'warnsdorff'"),
    "a word to explain": (("explain", "warnsdorf"), "'warnsdorff'"),
    "an option of a method": (("solve", "8x8", "--method", "warnsdorff", "--set", "ties=poll"), "'pohl'"),
    "a format": (("solve", "8x8", "--format", "algebraicc"), "'algebraic'"),
    "a suffix": (("solve", "8x8", "-o", "t.sgv"), "'.svg'"),
    "a style": (("solve", "8x8", "-o", "t.svg", "--style", "currve"), "'curve'"),
    "a colour": (("draw", "8x8", "-o", "t.svg", "--colors", "path=blu"), "'blue'"),
    "a role of a colour": (("draw", "8x8", "-o", "t.svg", "--colors", "pth=blue"), "'path'"),
    "a theme": (("draw", "8x8", "-o", "t.svg", "--theme", "drak"), "'dark'"),
    "a setting": (("solve", "8x8", "--set", "tie=pohl"), "'ties'"),
    "a format before a file": (("check", "gird:t.txt"), "'grid'"),
    "a wrap": (("solve", "8x8:torrus"), "'torus'"),
    "a distribution": (("sample", "8x8", "--distribution", "uniforn"), "'uniform'"),
    "a statistic": (("census", "5x6", "--closed", "--by", "crosings"), "'crossings'"),
    "a level": (("puzzle", "6x6", "--level", "esay"), "'easy'"),
    "a piece of cells": (("solve", "hex:6:kng"), "'king'"),
    "a plot": (("plot", "degree", "8x8", "-o", "d.svg"), "'degrees'"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_the_error_says_what_was_probably_meant(name, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words, meant = SLIPS[name]
    code, out, err = run(*words)
    assert code == 2 and not out and f"; did you mean {meant}?\nhelp: " in err
    assert not list(tmp_path.iterdir())


WRONG = {
    "a box": (("solve", "4x4x"), "not a board: '4x4x'\nhelp: write boxes as 4x4x4, hexagons as hex:6; here 4x4x4?"),
    "a hexagon": (("count", "hex6"), "not a board: 'hex6'\nhelp: write boxes as 4x4x4, hexagons as hex:6; here hex:6?"),
    "no side": (("solve", "tri:0"), "a side must be 1 or more, not 0"),
    "a word that resembles none": (("solve", "8x8", "--method", "xyz"), "unknown method 'xyz'\nhelp: one of auto, "),
    "a suffix that resembles none": (("solve", "8x8", "-o", "t.parquet"), "does not say the format\nhelp: end it in "),
    "a directory that is not there": (("solve", "8x8", "-o", "no/t.svg"), "there is no directory 'no'"),
    "a directory for a board": (("solve", "."), "'.' is a directory"),
    "a file to write without -o": (("convert", "a.txt", "b.json"), "help: to write that file: -o b.json"),
    "a file where none is written": (("facts", "8x8", "b.json"), "unexpected extra argument (b.json)"),
    "too large a puzzle": (("puzzle", "30x30"), "no puzzles and given numbers on the 30x30 board"),
    "too short a text": (("puzzle", "3x4", "--set", "text=knight"), "help: give a text of 12 letters"),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_error_says_what_is_wrong_and_what_to_do(name, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words, text = WRONG[name]
    code, out, err = run(*words)
    assert code == 2 and not out and text in err and "did you mean" not in err


def test_a_puzzle_says_if_it_needs_more_numbers_than_were_asked_for(run):
    code, _, err = run("puzzle", "5x5", "--clues", "1", "--seed", "1")
    assert code == 0 and "could be left out, so there are more than the 1 asked for" in err
    code, _, err = run("puzzle", "5x5", "--clues", "20", "--seed", "1")
    assert code == 0 and "asked for" not in err


@pytest.mark.parametrize(("words", "meant"), [(("slove", "8x8"), "solve"), (("solve", "8x8", "--clsed"), "--closed")])
def test_a_command_or_an_option_with_a_slip_is_answered_by_the_nearest(words, meant, run):
    code, out, err = run(*words)
    assert (code, out) == (2, "") and "Did you mean" in err and meant in err and "--help\n" in err


def test_a_board_in_two_words_is_refused(run):
    for words in (("solve", "8", "8"), ("solve", "5x5", "--start", "1", "1"), ("solve", "8x8", "closed")):
        code, out, err = run(*words)
        assert (code, out) == (2, "") and f"unexpected extra argument ({words[-1]})" in err
