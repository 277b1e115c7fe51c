"""What is described is there: arguments in docstrings, files in pages and docstrings, and no word of what is gone."""

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.public import PUBLIC
from site_docstrings import _ARGUMENT, _LATER

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "knightstour"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "benchmarks" / "RESULTS.md"])
# Words of an answer, which an example prints in the form of an argument.
PRINTED = {"right", "wrong", "checked", "reason", "source", "impossible"}


def documented() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions, and methods of public classes."""
    for name, value in PUBLIC.items():
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value):
            for inner, member in vars(value).items():
                function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
                if inspect.isfunction(function) and not inner.startswith("_"):
                    yield f"{name}.{inner}", function


DOCUMENTED = dict(documented())


def arguments_of(docstring: str) -> set[str]:
    """The arguments that a docstring describes, as the site reads them."""
    found = set()
    for line in docstring.split(">>>")[0].splitlines():
        for piece in [line] if line.startswith(" ") else _LATER.split(line):
            if match := _ARGUMENT.match(piece):
                found |= set(match[1].split(", "))
    return found - PRINTED


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_docstring_describes_arguments_that_there_are(name: str) -> None:
    function = DOCUMENTED[name]
    parameters = inspect.signature(function).parameters
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        assert not arguments_of(inspect.getdoc(function) or "") - set(parameters)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_an_argument_that_may_be_left_out_as_none_says_so(name: str) -> None:
    parameters = inspect.signature(DOCUMENTED[name]).parameters.values()
    plain = {"str", "int", "float", "bool"}
    assert not [each.name for each in parameters if each.default is None and str(each.annotation) in plain]


def test_arguments_are_found_in_a_docstring() -> None:
    assert arguments_of("Draw.\n\nn: how many. size, unit: in mm\n    wide: no argument\n\n>>> x: 1") == {
        "n",
        "size",
        "unit",
    }


def files_named(text: str) -> set[str]:
    """Paths with a folder, in code or in running text."""
    return set(re.findall(r"(?<![\w/.-])((?:[\w-]+/)+[\w-]+\.(?:py|cc|h|md|js|json|toml|ipynb|css|sh|yml))\b", text))


def is_there(path: str) -> bool:
    """Whether the file is in the repository: from its root, or in the package or a ring of it."""
    places = [ROOT, ROOT / "docs", SOURCE, *(SOURCE / ring for ring in ("core", "lab", "interfaces"))]
    places += [SOURCE / "lab/counting", SOURCE / "interfaces/web/static", SOURCE / "lab/counting/halves"]
    return any((place / path).exists() for place in places)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    # Fenced blocks have files that commands make; the pages of the reference are made with the site.
    text = re.sub(r"```.*?```|\]\([^)]*\)|^    .*$|https?://\S+", " ", text, flags=re.DOTALL | re.MULTILINE)
    assert not [
        name for name in files_named(text) if not is_there(name) and not name.startswith(("build/", "reference/"))
    ]


def test_files_that_the_source_names_exist() -> None:
    lost = [
        f"{file.relative_to(SOURCE)}: {name}"
        for file in SOURCE.rglob("*.py")
        for name in files_named(" ".join(re.findall(r'"""(.*?)"""', file.read_text(encoding="utf-8"), re.DOTALL)))
        if not is_there(name)
        and not (file.parent / name).exists()
        and name.split("/")[0] in ("docs", "tests", "scripts", "benchmarks", "core", "lab", "interfaces")
    ]
    assert not lost


GONE = re.compile(r"\blaws?\b(?! of chess)|\baccidental seed|\bgone on with\b", re.IGNORECASE)


def test_no_page_or_text_uses_a_word_that_is_gone() -> None:
    """CHANGELOG.md says what became of them."""
    files = [*PAGES, *SOURCE.rglob("*.py"), *SOURCE.rglob("texts/*.json"), *ROOT.glob("docs/notebooks/*.ipynb")]
    found = [
        f"{file.relative_to(ROOT)}: {match[0]}"
        for file in files
        if file.name != "CHANGELOG.md"
        for match in GONE.finditer(file.read_text(encoding="utf-8"))
    ]
    assert not found
