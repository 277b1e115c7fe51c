"""Tests of large integers with separators, in all options."""

import click
import pytest

from knightstour.interfaces.cli.app import all_commands
from knightstour.interfaces.cli.option import WHOLE, whole_number_of

MILLIONS = ("1000000", "1_000_000", "1e6", "1E+6", "1M")


@pytest.mark.parametrize(
    "text, number",
    [
        *((text, 10**6) for text in MILLIONS),
        *zip(("0", "-3", "+12", " 7 ", "2.50e1"), (0, -3, 12, 7, 25), strict=True),
        *zip(("1k", "2K", "1.5k", "3G"), (1000, 2000, 1500, 3 * 10**9), strict=True),
    ],
)
def test_large_numbers_are_read_as_people_write_them(text, number):
    assert whole_number_of(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "x", "1e", "1.5", "1,000", "1m", "1g", "1e-3", "1e9999", "1__0", "_1", "0x10", "inf", "1.2345k", "9" * 9999],
)
def test_rejects_non_integers_and_shows_the_syntax(text, run):
    with pytest.raises(ValueError):
        whole_number_of(text)
    code, _, said = run("solve", "6x6", "--max-nodes", text)
    assert code == 2
    assert "is not a whole number" in said and "write it in digits, such as 20 or 1e6" in said


@pytest.mark.parametrize("name", all_commands())
def test_every_option_of_a_whole_number_reads_them(name):
    command = all_commands()[name]
    types = {each.name: each.type for each in command.get_params(click.Context(command))}
    assert click.INT not in types.values()
    assert name != "solve" or types["n"] is types["max_nodes"] is types["seed"] is WHOLE


def test_settings_of_a_method_are_numbers_too(run):
    code, _, said = run("solve", "8x8", "--method", "genetic", "--set", "population=1k", "--max-nodes", "1")
    assert code == 3, said
    code, _, said = run("solve", "8x8", "--method", "genetic", "--set", "population=x")
    assert code == 2 and "population must be a whole number, not 'x'" in said
