"""Tests of the logger `knightstour`: results at DEBUG, deviations at WARNING."""

import logging
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import knightstour as kt
from knightstour.lab.counting.spaces import file as space_file

ANSWERED: dict[str, tuple[Callable[[], object], str]] = {
    "solve": (
        lambda: kt.solve("6x6", method="merge", seed=5),
        r"solve: found, an open .* by merge, seed 5, \d+[.]\d+ s",
    ),
    "count": (lambda: kt.count("5x6", closed=True), r"count: closed tours of the 5x6 board, by halves, \d"),
    "sample": (lambda: kt.sample("6x6", 3, seed=7), r"sample: 3 open tours .*, by backbite, seed 7, "),
    "make_puzzle": (lambda: kt.make_puzzle("5x5", seed=9), r"make_puzzle: 5x5.*, seed 9, "),
}


@pytest.mark.parametrize("name", ANSWERED)
def test_answer_is_reported_with_method_and_seed(name: str, caplog: pytest.LogCaptureFixture) -> None:
    ask, wanted = ANSWERED[name]
    with caplog.at_level(logging.DEBUG, "knightstour"):
        ask()
    said = [record for record in caplog.records if record.name == "knightstour" and record.levelno == logging.DEBUG]
    assert re.search(wanted, said[-1].getMessage()), said[-1].getMessage()


def test_a_number_that_was_not_counted_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    kt.count("9x10", closed=True, memory=10**8)
    (said,) = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert "100 MB of memory may be used; so the number of closed tours of the 9x10 board is from" in said.getMessage()


def test_a_kept_space_that_cannot_be_read_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "space"
    path.write_bytes(b"not one")
    monkeypatch.setattr(space_file, "path_of", lambda problem: path)
    assert kt.TourSpace("5x5").count == 864
    assert any("is replaced" in record.getMessage() for record in caplog.records)


def test_nothing_is_shown_to_those_who_did_not_ask(capfd: pytest.CaptureFixture[str]) -> None:
    kt.count("9x10", closed=True, memory=10**8)
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger("knightstour").handlers)
    assert capfd.readouterr().err == ""
