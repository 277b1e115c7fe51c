"""Tests of the project's English; see CONTRIBUTING.md, "Writing", and scripts/plain_english.py."""

import re

import pytest

import plain_english

# Markers per 1,000 words. attrs, networkx, python-chess, PyVRP and sqlite-utils have 0.7 to 2.1.
CEILINGS = {"docstring": 0.5, "comment": 0.5, "message": 0.5, "help": 1, "docs": 0.5, "page": 2, "tests": 0.5}
MOST_WORDS = 214_500


@pytest.fixture(scope="module")
def measured() -> tuple[dict[str, int], dict[str, int]]:
    words, hits = plain_english.measure()
    return dict(words), dict(hits)


@pytest.mark.parametrize("kind", plain_english.KINDS)
def test_texts_have_few_markers(measured: tuple[dict[str, int], dict[str, int]], kind: str) -> None:
    words, hits = measured
    assert 1000 * hits.get(kind, 0) / words[kind] <= CEILINGS[kind], f"run scripts/plain_english.py -v: {kind}"


def test_project_has_few_words(measured: tuple[dict[str, int], dict[str, int]]) -> None:
    assert sum(measured[0].values()) <= MOST_WORDS


@pytest.mark.parametrize(
    ("sentence", "marker"),
    [
        ("What it takes.", "what-opener"),
        ("Of a directed graph, more.", "of-opener"),
        ("None where there is none", "where-if"),
        ("those of the flow", "those-that"),
        ("X is no weight", "is-no"),
        ("a seed for nobody", "nobody"),
        ("the file says more", "say"),
        ("Let all tours differ.", "let"),
    ],
)
def test_markers_find_odd_constructions(sentence: str, marker: str) -> None:
    assert marker in plain_english.markers(sentence)


def test_names_of_tests_are_short() -> None:
    names = [text.text for text in plain_english.texts() if text.kind == "tests"]
    long = [name for name in names if len(re.findall(r"\S+", name)) > 10]
    assert long == []
