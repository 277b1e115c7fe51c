"""The documents cannot rot: their Python runs as doctests, their shell lines print what the page shows."""

from __future__ import annotations

import doctest
import re
import runpy
import sys
from pathlib import Path

import pytest

import knightstour as kt

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
_FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


# Pages with data sets, pools of processes, or much to count and to draw.
_LONG = {"counting.md", "gallery.md", "scale.md"}


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.long] if page.name in _LONG else []) for page in PAGES],
    ids=lambda page: page.name,
)
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # A fence closes an example as an empty line does.
    text = page.read_text(encoding="utf-8").replace("\n```", "\n\n```")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=_FLAGS).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


def test_generated_tables_and_the_output_of_shell_lines_are_fresh(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["make_docs.py", "--check"])
    with pytest.raises(SystemExit) as stop:
        runpy.run_path(str(ROOT / "scripts/make_docs.py"), run_name="__main__")
    assert not stop.value.code, capsys.readouterr().out + "run: make docs"


def test_the_two_commands_of_the_first_screen_are_the_readmes():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[0].endswith("knightstour solve 8x8") and commands[1].endswith("pytest")


def test_the_readme_and_the_pages_are_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 140
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md")]
    assert len(pages) <= 24
    assert sum(len(page.split()) for page in pages) <= 48_000


def test_links_between_pages_lead_to_files_and_headings():
    pages = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md"), ROOT / "benchmarks/RESULTS.md"]
    nowhere = []
    for page in pages:
        for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.read_text(encoding="utf-8")):
            name, _, heading = target.partition("#")
            there = page.parent / name if name else page
            if "reference/" in name:  # made with the site, whose links are followed when it is built
                continue
            if not there.exists() or (heading and heading not in headings(there)):
                nowhere.append(f"{page.relative_to(ROOT)}: {target}")
    assert not nowhere


def headings(page):
    """The headings of a page, as links name them."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_no_page_speaks_of_the_machine_it_was_written_on():
    for page in [*PAGES, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]:
        assert not re.search(r"/(work|tmp|root|home)/", page.read_text(encoding="utf-8")), page


@pytest.mark.slow
def test_a_page_shows_the_first_and_the_last_of_all_closed_tours():
    text = (ROOT / "docs/tour_space.md").read_text(encoding="utf-8")
    rows = [line.split() for line in re.search(r"```text\n(.*?)```", text, re.DOTALL)[1].splitlines()]
    space = kt.TourSpace((8, 8), closed=True)
    for number, columns in ((1, slice(0, 8)), (space.count, slice(8, 16))):
        assert space.unrank(number).numbers.tolist() == [[int(word) for word in row[columns]] for row in rows]
