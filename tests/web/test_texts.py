"""The texts of the page: all of them are in the files of texts/, and each is said somewhere. Whether the languages are
of one shape is tested in a browser, which can read them (tests/browser/test_page_language.py)."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from knightstour.interfaces.web.modules import STATIC

TEXTS = sorted((STATIC / "texts").glob("*.js"))
MODULES = [path for path in sorted(STATIC.rglob("*.js")) if path not in TEXTS]
COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*|\s//\s[^\n]*", re.DOTALL | re.MULTILINE)
STRING = re.compile(r'"([^"\n]*)"|`([^`]*)`')
PLACE = re.compile(r"\$\{[^}]*\}")
# Where strings are no words for people: imports, names of classes, keys and headers, selectors.
CODE = re.compile(
    r"^import .*|\bclass: (?:\"[^\"]*\"|`[^`]*`|\w+ \? \"[^\"]*\" : \"[^\"]*\")|setAttribute\(\"class\".*"
    r"|\bclassName = .*|\b(?:matches|closest|querySelector|querySelectorAll|matchMedia)\([^)]*\)(?:\[^\"]*\")?"
    r"|\bkey === \"\w+\"|^const row = \(mark.*|transform(?::|\", ) *`[^`]*`",
    re.MULTILINE,
)
# Two words with a space, or one with a capital.
WORDS = re.compile(r"[A-Za-z’]{2,}[,:;]? [a-z’]{2,}|\b[A-Z][a-z’]{2,}")
# Names that are the same in every language, and names of the browser's own things.
NAMES = {
    "AbortError",
    "X-Client",
    "Content-Type",
    "Files",
    "Enter",
    "Arrow",
    "viewBox",
    "pathLength",
    "translate(px, px)",
    "proof-line proof- ",
}
NAMES |= {"Eulerian", "Bergholtian", "Sulian", "Murraian", "English", "Deutsch", "Français"}


def said(code: str) -> list[str]:
    """The strings of a module that look like words for people."""
    code = CODE.sub("", COMMENT.sub("", code))
    strings = [PLACE.sub("", a or b) for a, b in STRING.findall(code)]
    return [text for text in strings if WORDS.search(text) and text not in NAMES]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_a_module_has_no_words_for_people(path: Path):
    assert said(path.read_text("utf-8")) == [], "words for people belong into texts/en.js"


@pytest.mark.parametrize(
    "line",
    [
        'h("p.soft", {}, "Looking …")',
        "say(`Step ${step} of ${last}`)",
        'iconButton("undo", "Undo", does.undo)',
        'const words = "no move leads back to the start";',
        '{ "aria-label": "Main actions" }',
    ],
)
def test_words_in_a_module_are_noticed(line):
    assert len(said(line)) == 1


def groups(path: Path) -> dict[str, set[str]]:
    """The groups of a file of texts, each with its names."""
    found = re.findall(r"^export const (\w+) = \{\n(.*?)^\};", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return {name: set(re.findall(r"^  (\w+)[:,(]", body, re.MULTILINE)) for name, body in found}


def test_every_text_is_said_and_every_text_that_is_said_is_there():
    english = groups(STATIC / "texts/en.js")
    assert len(english) > 20
    code = "".join(COMMENT.sub("", path.read_text("utf-8")) for path in MODULES)
    code += (STATIC / "index.html").read_text("utf-8")
    uses = set(re.findall(r"\btexts\.(\w+)\.(\w+)", code))
    assert {(group, name) for group, name in uses if name not in english.get(group, set())} == set()
    # By another way than its full name a text is said as a name alone: in HTML, or chosen among several.
    unsaid = {
        f"{group}.{name}"
        for group, names in english.items()
        for name in names
        if (group, name) not in uses and not re.search(rf'"{name}"|\b{name}\b[:,] ', code)
    }
    assert unsaid == set()


class Said(HTMLParser):
    """What the HTML itself says: text, and attributes that are read aloud or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside.append(tag)
        self.found += [(name, value or "") for name, value in attrs if name in ("aria-label", "title", "placeholder")]

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found.append((self.inside[-1], data.strip()))


def test_the_html_says_its_name_alone_and_what_to_do_without_scripts():
    page = Said()
    page.feed((STATIC / "index.html").read_text("utf-8").replace("<meta ", "<meta/ "))
    without = [text for tag, text in page.found if tag not in ("noscript", "p", "code")]
    assert set(without) == {"Knight's tour", "Knight’s tour"}
    assert {tag for tag, _ in page.found} <= {"title", "span", "p", "code"}
