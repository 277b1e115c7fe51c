"""Tests of the texts of the page: all are in texts/, each is used, and translations have the same placeholders."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

from knightstour.core.checking.reports import MagicKind
from knightstour.core.model.pieces import PIECES
from knightstour.core.model.sentences import PHRASES, SENTENCES
from knightstour.core.model.trace import COUNTERS
from knightstour.interfaces.web.modules import STATIC

MODULES = sorted(STATIC.rglob("*.js"))
COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*|\s//\s[^\n]*", re.DOTALL | re.MULTILINE)
STRING = re.compile(r'"([^"\n]*)"|`([^`]*)`')
PLACE = re.compile(r"\$\{[^}]*\}")
# Strings that are not text: imports, names of classes, keys and headers, selectors.
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
    "Content-Type",
    "Files",
    "Enter",
    "Arrow",
    "viewBox",
    "pathLength",
    "translate(px, px)",
    "proof-line proof- ",
}


def said(code: str) -> list[str]:
    """Return the strings of a module that look like text for users."""
    code = CODE.sub("", COMMENT.sub("", code))
    strings = [PLACE.sub("", a or b) for a, b in STRING.findall(code)]
    return [text for text in strings if WORDS.search(text) and text not in NAMES]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_a_module_has_no_words_for_people(path: Path):
    assert said(path.read_text("utf-8")) == [], "words for people belong into texts/en.json"


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


def texts_of(language: str) -> dict[str, Any]:
    return json.loads((STATIC / f"texts/{language}.json").read_text("utf-8"))


def flat(value: Any, path: str = "") -> dict[str, str]:
    """Return every text by its path, such as "common.play" or "help.keys.0.1"."""
    if isinstance(value, str):
        return {path: value}
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    return {place: text for name, each in rows for place, text in flat(each, f"{path}.{name}".lstrip(".")).items()}


ENGLISH = flat(texts_of("en"))
OTHERS = [path.stem for path in sorted((STATIC / "texts").glob("*.json")) if path.stem != "en"]
# Texts that may be the same in two languages: signs, figures, formats, and words that both have.
SAME = re.compile(
    r"\.(?:formats|keys\.\d+\.0|zoomKeys\.\d+\.0|ownKeys|wide|placeholder)"
    r"|names\.(?:five|strip|six|chess|torus|ring|zebra|zip|numbrix|hidato)"
    r"|common\.(?:pause|impossible)|proof\.said|styles\.plotter|conditions\.(?:title|go)"
    r"|\.link$|finish\.puzzle|proposed\.\w+|places\.puzzle|puzzle\.levels\.(?:expert|zip)|help\.guideParts\.conditions|watch\.board|common\.stop"
    r"|compare\.second|all\.tour$|common\.percent|counting\.(?:kinds\.plan|error|units\.minute)|theme$|watch\.ended|page\.title|saidStyle|options\.mutation"
)


def parts_of(text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield all placeholders: name, kind ("", "number", "plural" or "select"), and variants."""
    depth, start = 0, 0
    for at, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0, text
        if sign == "{" and depth == 1:
            start = at + 1
        elif sign == "}" and depth == 0:
            name, kind, rest = ([part.strip() for part in text[start:at].split(",", 2)] + ["", ""])[:3]
            found = dict(re.findall(r"(\S+) \{((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}", rest))
            yield name, kind, found
            for variant in found.values():
                yield from parts_of(variant)
    assert depth == 0, f"a brace is not closed: {text}"


def places(text: str) -> set[str]:
    return {name for name, _, _ in parts_of(text)}


@pytest.mark.parametrize("language", ["en", *OTHERS])
def test_places_are_written_as_the_page_reads_them(language):
    for path, text in flat(texts_of(language)).items():
        for name, kind, variants in parts_of(text):
            assert re.fullmatch(r"\w+", name), path
            assert kind in ("", "number", "plural", "select"), path
            assert bool(variants) == (kind in ("plural", "select")), path
            assert not variants or "other" in variants, f"{path}: what holds for all others is missing"
            known = {"zero", "one", "two", "few", "many", "other"}
            assert kind != "plural" or all(key in known or re.fullmatch(r"=\d+", key) for key in variants), path


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_text_which_fills_the_same_places(language):
    other = {path: text for path, text in flat(texts_of(language)).items() if not path.startswith("library.")}
    assert other.keys() == ENGLISH.keys()
    # Names of boards depend on the shape in some languages, on the name in others.
    free = {"board.of", "board.words"}
    more = {path for path, text in other.items() if not places(text) <= places(ENGLISH[path])} - free
    assert more == set(), "a place that nothing fills"
    less = {path for path, text in other.items() if places(text) != places(ENGLISH[path])} - free
    assert less <= {"steps.left", "steps.visited", "all.among"}, "something is not said"
    assert [path for path, text in other.items() if not text.strip()] == [], "empty"


@pytest.mark.parametrize("language", OTHERS)
def test_a_text_is_not_left_in_english(language):
    other = flat(texts_of(language))
    assert [path for path, text in ENGLISH.items() if other.get(path) == text and not SAME.search(path)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_library_sentences_are_translated_row_by_row(language):
    library = texts_of(language)["library"]
    tables: dict[str, Mapping[str, Any]] = {"pieces": PIECES}
    tables |= {"sentences": SENTENCES, "counters": COUNTERS, "meanings": COUNTERS}
    # Names of facts without a table: classes of symmetry, and kinds of magic.
    assert set(library.pop("facts")) > {"none", *get_args(MagicKind)}
    assert library.keys() == tables.keys()
    for table, rows in tables.items():
        assert library[table].keys() == rows.keys(), table
    for name, english in SENTENCES.items():
        assert places(library["sentences"][name]) == places(english), name


def test_every_text_is_used_and_every_used_text_exists():
    english = {group: set(names) for group, names in texts_of("en").items() if group != "language"}
    assert len(english) > 20
    code = "".join(COMMENT.sub("", path.read_text("utf-8")) for path in MODULES)
    code += (STATIC / "index.html").read_text("utf-8")
    # Phrases of sentences are named by the library.
    code += "".join(f'"{name}" ' for name in PHRASES)
    uses = set(re.findall(r"\btexts\.(\w+)\.(\w+)", code))
    assert {(group, name) for group, name in uses if name not in english.get(group, set())} == set()
    # Texts may be used by a partial name: in HTML, or chosen among several.
    unsaid = {
        f"{group}.{name}"
        for group, names in english.items()
        for name in names
        if (group, name) not in uses and not re.search(rf'"{name}"|\b{name}\b[:,] ', code)
    }
    assert unsaid == set()


def test_text_with_places_is_filled_as_marked():
    with_places = {path for path, text in ENGLISH.items() if places(text)}
    for path in MODULES:
        code = path.read_text("utf-8")
        for match in re.finditer(r"\btexts\.([\w.]+)", code):
            is_filled = re.search(r"\b(?:fill|tourWords)\(\s*$", code[: match.start()]) is not None
            if code[match.end()] != "[":
                assert is_filled == (match[1] in with_places), f"{path.name}: {match[0]}"


def test_html_has_its_name_and_a_noscript_note():
    page = re.sub(r"<noscript>.*?</noscript>", "", (STATIC / "index.html").read_text("utf-8"), flags=re.DOTALL)
    said = re.findall(r' (?:aria-label|title|placeholder)="([^"]*)"', page)
    said += [text.strip() for text in re.findall(r">([^<]+)", page) if text.strip()]
    assert set(said) == {"Knight's tour", "Knight’s tour"}


def test_every_condition_of_the_library_has_its_texts():
    tables = json.loads((STATIC / "model/tables.json").read_text("utf-8"))
    names = {name for name, *_ in tables["conditions"]}
    assert set(texts_of("en")["conditions"]["said"]) == names
