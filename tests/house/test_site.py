"""Tests of the site: all pages, public names and options are on it; it builds without warnings, and links work."""

import inspect
import re
import shlex
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import click
import pytest

import knightstour as kt
import make_site
import site_docstrings
import site_links
import site_reference
from helpers.public import PUBLIC
from knightstour.interfaces.cli.app import all_commands
from knightstour.interfaces.cli.help import Group

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def reference() -> dict[str, str]:
    return site_reference.pages()


def test_every_public_name_is_in_the_reference(reference: dict[str, str]) -> None:
    text = "\n".join(page for name, page in reference.items() if name.startswith("python-"))
    found = re.findall(r"^\.\. [\w:]+:: knightstour\.([\w.]+)$", text, re.MULTILINE)
    assert sorted(found) == sorted(name for name, value in PUBLIC.items() if not inspect.ismodule(value))


def test_the_reference_begins_with_the_names_that_most_programs_use(reference: dict[str, str]) -> None:
    names = re.findall(r"knightstour\.([\w.]+)>", reference["python.md"])
    assert names[:3] == ["Board", "Tour", "solve"]
    assert reference["python-methods.md"].split("\n## ")[1].startswith("solve\n")
    assert re.findall(r"knightstour\.([\w.]+)>", reference["python-model.md"])[:2] == ["Board", "Tour"]


def test_large_classes_have_pages_of_their_own(reference: dict[str, str]) -> None:
    assert reference["python-board.md"].startswith("# Board\n")
    assert "\n## Board\n" not in reference["python-model.md"]
    assert "\n## Picture\n" in reference["python-drawing.md"]


@pytest.mark.parametrize("name", make_site.CROPPED)
def test_cards_show_boards_without_legends(name: str) -> None:
    picture = (DOCS / "images" / f"proof-{name}.svg").read_text(encoding="utf-8")
    side = 40 * int(name[0]) + 8
    assert f'viewBox="24 6 {side} {side}"' in make_site.board_alone(picture)
    assert f"images/board-{name}.svg" in (DOCS / "site" / "first.myst").read_text(encoding="utf-8")


def test_each_page_of_the_reference_says_that_it_is_generated(reference: dict[str, str]) -> None:
    assert [name for name, text in reference.items() if "page is generated" not in text.split("\n\n")[1]] == []


@pytest.mark.parametrize("name", all_commands())
def test_every_option_of_a_command_is_in_the_reference(name: str, reference: dict[str, str]) -> None:
    command = all_commands()[name]
    page = reference[f"command-{name.split()[0]}.md"]
    hidden = [each for each in command.params if getattr(each, "hidden", False)]
    missing = [
        option
        for each in command.params
        if isinstance(each, click.Option) and each not in hidden
        for option in each.opts
        if f"{option} " not in page and f"{option}`" not in page and f"{option}," not in page
    ]
    assert not missing


@pytest.mark.parametrize(
    "name",
    [
        "METHODS",
        "DISTRIBUTIONS",
        "FORMATS",
        "STATISTICS",
        "sequences.SEQUENCES",
        "examples.FAMILIES",
        "examples.CATALOGUES",
    ],
)
def test_every_row_of_a_table_is_in_the_reference(name: str, reference: dict[str, str]) -> None:
    part = reference["tables.md"].split(f"## {name.rpartition('.')[2]}\n")[1].split("\n## ")[0]
    assert all(re.search(rf"^\| \[?`?{re.escape(row)}[`\]]", part, re.MULTILINE) for row in attrgetter(name)(kt))


def test_every_page_is_listed_once_under_its_kind() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Start", "How to", "Reference", "Explanation"]
    listed = re.findall(r"^- \[.*?\]\((.*?)\)$", text, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert {f"notebooks/{each.name}" for each in NOTEBOOKS} <= set(listed)
    assert {page.name for page in DOCS.glob("*.md")} - {"index.md"} == {each for each in listed if "/" not in each}


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("Finds `it`.", "Finds ``it``\\ ."),
        ("See `solve`.", "See :py:obj:`solve <knightstour.solve>`\\ ."),
        (
            "n: how many. size: in pixels; None: as it is",
            "\n- **n**: how many.\n\n- **size**: in pixels; None: as it is",
        ),
        ("a * b", "a \\* b"),
        ("a: one,\n    two. b: three\n    four", "\n- **a**: one,\n  two.\n\n- **b**: three\n  four"),
        (
            "Args:\n    a: One,\n        two.\n    b: Three.\n\nRaises:\n    BoardError: If `a` is 1.",
            "\n**Arguments:**\n\n\n- **a**: One,\n  two.\n\n- **b**: Three.\n\n"
            "\n**Raises:**\n\n\n- **BoardError**: If ``a``\\  is 1.",
        ),
        ("Returns:\n    The\n    number.", "\n**Returns:**\n\nThe\nnumber."),
        ("board: of\n    any kind", "\n- **board**: of\n  any kind"),
    ],
)
def test_a_docstring_becomes_what_sphinx_reads(docstring: str, expected: str) -> None:
    assert "\n".join(site_docstrings.convert_docstring(docstring.splitlines())) == expected + "\n"


def test_dead_and_external_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="#here">1</a><a href="#there">2</a><a href="b.html">3</a><a href="https://oeis.org">4</a>'
        '<img src="https://example.org/x.png"><link rel="stylesheet" href="x.css">',
        encoding="utf-8",
    )
    (tmp_path / "x.css").write_text("@import url(https://example.org/y.css)", encoding="utf-8")
    assert [fault.split(": ", 1)[1] for fault in site_links.faults(tmp_path)] == [
        "#there: there is no such place on the page",
        "b.html: there is no such file",
        "https://example.org/x.png: fetched from elsewhere",
        "https://example.org/y.css: fetched from elsewhere",
    ]


def test_link_elsewhere_in_the_repository_works_on_the_site() -> None:
    text = make_site.with_links_of_the_site(DOCS / "design.md")
    assert "](contributing.md)" in text and "](../CONTRIBUTING.md)" not in text
    # Code is not on the site: the words of the link are left.
    assert "[docs/examples/method.py](examples/method.py)" in make_site.with_links_of_the_site(ROOT / "CONTRIBUTING.md")


def shell_lines(page: Path) -> list[str]:
    """Return the `knightstour COMMAND ...` lines of a page, without comments."""
    text = page.read_text(encoding="utf-8")
    lines = re.findall(r"^    knightstour (\w.*)$", text, re.MULTILINE)
    if page.name == "recipes.md":
        lines += re.findall(r"\| `knightstour ([^`]+)`[^|\n]* \|", text)
    return [re.split(r"  +| # | \| | > ", line.replace("[", "").replace("]", ""))[0] for line in lines]


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_shell_lines_of_pages_use_existing_commands_and_options(page: Path) -> None:
    commands = all_commands()
    assert len(shell_lines(page)) > 30 or page.name != "recipes.md"
    for line in shell_lines(page):
        name, *words = shlex.split(line)
        command = commands[name]
        if isinstance(command, Group):
            below = words.pop(0) if words[0] in command.commands else command.default
            command = commands[f"{name} {below}"]
        try:
            command.make_parser(click.Context(command)).parse_args(words)
        except click.UsageError as error:
            pytest.fail(f"{line}: {error.format_message()}")


@pytest.mark.long
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx_design", reason="sphinx-design is not installed (group docs)")
    words = [sys.executable, str(ROOT / "scripts/make_site.py"), str(tmp_path / "site")]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site/searchindex.js").is_file()
    text = "".join(page.read_text(encoding="utf-8") for page in (tmp_path / "site").rglob("*.html"))
    assert not re.findall(r"[–—]\w[\w-]*", re.sub(r"<[^>]*>", "", text))[:5]
    assert "&amp;lt;" not in text and "&amp;gt;" not in text
