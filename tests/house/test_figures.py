"""Tests that figures of time come from one file, and the project's address from one constant."""

import re
import tomllib
from pathlib import Path

import pytest

import addresses
import figures
import results

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "tables").glob("*.md")])
FIGURE = re.compile(r"\b\d[\d,.]*\s?(?:s|ms|us|µs|(?:milli|micro)?seconds?|minutes?|hours?)\b(?! ?/)")

# Times without measurements: limits, settings, published times, and other numbers.
EXCEPTIONS = {
    "cluster.md": ["| 3 minutes |", "| 6 minutes |", "| 4 hours |"],
    "design.md": ["200 ms, for what opens"],
    "glossary.md": ["mayhematics.com/t/2s.htm"],
    "guide.md": ["stops after 60 seconds"],
    "puzzles.md": ["default is 60 seconds"],
    "index.md": ["lessons of 45 minutes"],
    "lessons.md": ["lessons of 45 minutes"],
}


def prose(text: str) -> str:
    """Remove generated parts and code."""
    for pattern in (r"<!-- begin (.*?) -->.*?<!-- end \1 -->", figures.MARK.pattern, r"```.*?```"):
        text = re.sub(pattern, " ", text, flags=re.DOTALL)
    return re.sub(r"`[^`\n]+`|^    .*$", " ", text, flags=re.MULTILINE)


def figures_of_time(text: str, exceptions: list[str]) -> list[str]:
    """Return the figures of time in the prose, with their context."""
    text = " ".join(prose(text).split())
    for words in exceptions:
        text = text.replace(words, " ")
    return [text[max(0, found.start() - 30) : found.end() + 20] for found in FIGURE.finditer(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_figure_of_time_comes_from_the_file_of_measurements(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not figures_of_time(text, EXCEPTIONS.get(page.name, []))
    if page != results.PAGE:
        assert not re.search(r"^\|.*\b(seconds|processor|s) *\|.*\n\|-", prose(text), re.MULTILINE)


@pytest.mark.parametrize(
    "text", ["takes 7 s.", "in 0.4 s, the", "after 10.9 seconds", "23 ms", "2 hours\nand", "a\n3\nminutes"]
)
def test_a_figure_that_comes_from_nowhere_is_found(text: str) -> None:
    assert figures_of_time(text, [])
    assert not figures_of_time(f"<!-- seconds start -->{text}<!-- . -->", [])
    assert not figures_of_time(f"<!-- begin x -->\n{text}\n<!-- end x -->", [])


def test_figures_are_written_where_a_page_names_them() -> None:
    row = figures.read()["rows"]["count 8x8 closed"]
    text = "<!-- seconds count 8x8 closed -->?<!-- . --> and <!-- memory count 8x8 closed -->?<!-- . -->"
    said = figures.with_figures(text)
    assert f"-->{figures.seconds(row)}<!--" in said and f"-->{figures.memory(row)}<!--" in said
    with pytest.raises(KeyError):
        figures.with_figures("<!-- seconds no such row -->?<!-- . -->")


def test_measured_rows_are_named_in_a_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    named = {mark[3] for mark in figures.MARK.finditer(text)} | {key for row in figures.BESIDE for key in row[2:]}
    in_index = {f"knightstour {row.command}" for row in results.FIGURES}
    rows = figures.read()["rows"]
    assert named <= set(rows)
    assert [key for key, row in rows.items() if row["command"] not in in_index and key not in named] == []


# ---------------------------------------------------------------- addresses


HERE = "https://github.com/knight/tour"


def test_examples_are_omitted_without_an_address() -> None:
    assert addresses.urls("") == addresses.citation("") == addresses.install_lines("") == ""
    for name in ("pyproject.toml", "CITATION.cff", "README.md", "CONTRIBUTING.md", "SECURITY.md"):
        assert "example.org" not in (ROOT / name).read_text(encoding="utf-8")


def test_an_address_is_written_into_both_files() -> None:
    made = {path.name: text for path, text in addresses.pages(HERE).items()}
    project = tomllib.loads(made["pyproject.toml"])
    urls = project["project"]["urls"]
    files = {name: url.split("/blob/main/")[1] for name, url in urls.items() if "/blob/" in url}
    assert files == addresses.FILES and all((ROOT / file).is_file() for file in files.values())
    assert all(url.startswith(urls["Repository"]) for url in urls.values())
    assert f'repository-code: "{HERE}"' in made["CITATION.cff"]
    # The README as an index shows it has no relative links.
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for row in project["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(row["pattern"], row["replacement"], text)
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert len(targets) > 10
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []
