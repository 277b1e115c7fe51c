"""Tests of the documents: their Python, shell lines, notebooks and recipes run, and their facts are true."""

import doctest
import io
import json
import re
import runpy
import shlex
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import knightstour as kt
from house import SOURCE
from knightstour.interfaces.cli import app

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
_FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


# Pages with data sets, pools of processes, or much to count and to draw.
_BY_DEFAULT = {"README.md", "guide.md"}


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.long] if page.name not in _BY_DEFAULT else []) for page in PAGES],
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


@pytest.mark.long
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


@pytest.mark.parametrize("page", ["README.md", "docs/install.md", "docs/guide.md"])
def test_first_pages_activate_the_environment_before_they_use_the_command(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    used = re.search(r"^(\$ )?knightstour [a-z]+ \d", text, re.MULTILINE)
    assert used is not None and 0 < text.find("source .venv/bin/activate") < used.start()


def test_pages_save_pictures_under_their_own_suffix() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in [*PAGES, *SOURCE.rglob("*.py"), *SOURCE.rglob("*.pyi")]}
    saved = [found for text in texts.values() for found in re.findall(r"draw\((.*?)\)\.save\(f?\"[^\"]*(\.\w+)", text)]
    assert len(saved) > 2
    for arguments, suffix in saved:
        named = re.search(r"\"(png|pdf|gif|html|dxf|tikz|text)\"", arguments)
        assert suffix == f".{named[1] if named else 'svg'}"


def test_every_description_of_the_package_is_the_same_sentence():
    texts = {
        name: (ROOT / name).read_text(encoding="utf-8").replace("\n", " ")
        for name in ("pyproject.toml", "conda/recipe.yaml", "CITATION.cff", "docs/index.md", "docs/site/first.myst")
    }
    texts["--help"] = app.group.help or ""
    sentence = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[2]
    assert sentence.startswith("Find a knight's tour") and sentence.endswith(".")
    assert [name for name, text in texts.items() if sentence not in text] == []


def test_the_readme_and_the_pages_are_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 90
    pages = {page.name: page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md")}
    assert len(pages) <= 30
    assert sum(words_of(text) for name, text in pages.items() if name != "index.md") <= 43_000


def words_of(text: str) -> int:
    """Return the number of written words of a page, without generated tables and lessons."""
    text = re.sub(r"<!-- begin (.*?) -->.*?<!-- end \1 -->|<!-- .*? -->", " ", text, flags=re.DOTALL)
    return len(re.sub(r"^## For a lesson\n.*?(?=^## )", " ", text, flags=re.DOTALL | re.MULTILINE).split())


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
    """Return the headings of a page, in the form of links."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_no_page_speaks_of_the_machine_it_was_written_on():
    for page in [*PAGES, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]:
        assert not re.search(r"/(work|tmp|root|home)/", page.read_text(encoding="utf-8")), page


# ---------------------------------------------------------------- options


_OPTION = re.compile(r"(?<!\S)--?[a-z][a-z-]*")
_OF_EACH = {"-h", "--help", "--help-all", "--debug", "--version"}


def missing_options(text: str, of: str = "") -> list[str]:
    """Return the commands of a text with options that they do not have, and options of no command that it names.

    of: the command that the text describes.
    """
    known = app.all_commands()
    own = {
        name: _OF_EACH.union(*((*each.opts, *each.secondary_opts) for each in command.params))
        for name, command in known.items()
    }
    missing, named = [], {of} - {""}
    for words in re.findall(r"(?:knightstour |`(?!knightstour))([a-z]+\b[^\n`|#]*)", text):
        name, _, rest = words.partition(" ")
        if name not in known:
            continue
        name = next(full for full in (f"{name} {rest.split(' ')[0]}", f"{name} make", name) if full in known)
        named.add(name)
        missing += [f"{name} {option}" for option in _OPTION.findall(rest) if option not in own[name]]
    supported = set().union(*(own[name] for name in named or known))
    return missing + [option for option in re.findall(r"`(--[a-z][a-z-]*)", text) if option not in supported]


@pytest.mark.parametrize("page", [*PAGES, *sorted((ROOT / "docs/tables").glob("*.md"))], ids=lambda page: page.stem)
def test_each_option_of_a_page_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    # The page of a command describes it in each section.
    is_of_one = page.stem in app.COMMANDS
    sections = text.split("\n## ") if is_of_one else [text]
    missing = [option for each in sections for option in missing_options(each, page.stem if is_of_one else "")]
    # A former revision computed this table.
    assert set(missing) == ({"count --growth"} if page.stem in ("growth", "results") else set())


@pytest.mark.parametrize(
    ("text", "of", "missing"),
    [
        ("    knightstour enumerate 3x14 --workers 8 -o t.json", "", "enumerate --workers"),
        ("`count 8x8 --given a1=1`", "", "count --given"),
        ("`knightstour puzzle 6x6 --hard`", "", "puzzle make --hard"),
        ("`count` supports `--start` and `--given`", "", "--given"),
        ("`--start` and `--given`", "count", "--given"),
        ("`--overall` limits the time", "", "--overall"),
    ],
)
def test_options_that_do_not_exist_are_found(text: str, of: str, missing: str) -> None:
    assert missing_options(text, of) == [missing]


# ---------------------------------------------------------------- notebooks


NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def outputs(cells: list[dict[str, Any]]) -> list[list[str]]:
    """Return the printed texts and kinds of pictures of each code cell, without time and memory."""
    return [
        [
            re.sub(r"[\d.e]+ (MB|GB|s) ", "", "".join(output["text"]))
            if "text" in output
            else str(sorted(output["data"]))
            for output in cell["outputs"]
        ]
        for cell in cells
        if cell["cell_type"] == "code"
    ]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_stores_small_outputs(notebook):
    text = notebook.read_text(encoding="utf-8")
    stored = outputs(json.loads(text)["cells"])
    assert sum(map(bool, stored)) >= len(stored) - 1  # a file cannot show the widget
    assert len(text) < 400_000 and "object at 0x" not in text


@pytest.mark.long
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
# Ignore warnings of Jupyter.
@pytest.mark.filterwarnings("default")
def test_a_notebook_runs_with_the_stored_outputs(notebook):
    made = runpy.run_path(str(ROOT / "scripts/make_notebooks.py"))["execute_notebook"](notebook)
    stored = json.loads(notebook.read_text(encoding="utf-8"))
    assert outputs(made.cells) == outputs(stored["cells"]), "run: make notebooks"


# ---------------------------------------------------------------- the walk of a count


DESIGN = Path(__file__).parents[2] / "docs" / "design.md"


def walk() -> list[Path]:
    """Return the files of the list, in order."""
    (section,) = re.findall(r"## The path of a count\n(.*?)\n## ", DESIGN.read_text(encoding="utf-8"), re.DOTALL)
    return [SOURCE / name for name in re.findall(r"^\d\. `([^`]+)`", section, re.MULTILINE)]


def test_count_keeps_each_file_of_its_path_short() -> None:
    lines = [len(file.read_text(encoding="utf-8").splitlines()) for file in walk()]
    assert 2 < len(lines) <= 6 and sum(lines) <= 2000
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            entered.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        assert kt.count((6, 6), closed=True, workers=1) == 9862
    finally:
        sys.setprofile(None)
    assert not [file.name for file in walk() if file.suffix == ".py" and str(file) not in entered]


# ---------------------------------------------------------------- recipes


def commands(page: str) -> list[str]:
    """Return the commands of a page, in indented lines and in tables, with their comments."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.findall(r"^    (knightstour .*)$|\| `(knightstour [^`]+)`([^|\n]*) \|", text, re.MULTILINE)
    return [(indented or f"{cell}  #{said}").replace("\\|", "|") for indented, cell, said in found]


def run(line: str, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> int:
    """Run the commands of a line as a pipe; return the last exit code."""
    printed, code = b"", 0
    for part in line.split(" | "):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(printed), encoding="utf-8"))
        code = app._run(shlex.split(part)[1:], debug=False)
        printed = capsysbinary.readouterr().out
    return code


@pytest.mark.long
@pytest.mark.parametrize("page", ["lessons.md", "recipes.md"])
def test_every_command_runs_as_printed(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = commands(page)
    assert len(lines) > 10
    wrong = {}
    for line in lines:
        command, _, said = line.partition("  #")
        printed = re.search(r"exit code (\d)", said)
        expected = int(printed[1]) if printed else int(command.endswith("5x5 --start a2"))
        code = run(command, monkeypatch, capsysbinary)
        if code != expected:
            wrong[command] = code
    assert not wrong
    # The output file exists.
    named = {name for line in lines for name in re.findall(r"(?:-o|--sheet|--proof) (\S+)", line)}
    assert not [name for name in named if not (tmp_path / name).stat().st_size]
