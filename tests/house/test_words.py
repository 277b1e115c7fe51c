"""Tests of terms: public names follow the glossary, and an argument has the same type everywhere."""

import inspect
import re
from collections import defaultdict
from pathlib import Path

from helpers.public import FUNCTIONS

ROOT = Path(__file__).parents[2]

# Names of one meaning whose type differs: what you may give in several forms, one or several of it, with or without a
# choice in words.
FORMS = {
    "rows": {"slice", "int"},
    # Of methods, and of counts.
    "settings": {"Mapping[str, object]", "Mapping[str, int]", "CountSettings"},
    "board": {"BoardLike", "Question", "Board"},
    "square": {"Square | str", "Square | str | Hashable", "Square"},
    "numbers": {"Sequence[int] | np.ndarray", "bool | int"},
    "tour": {"Tour", "ImplicitTour", "Tour | Iterable[Tour]", "Tour | Sequence[Square | str] | np.ndarray"},
    "text": {"str", "Drawing"},
    # A picture has fewer formats than a file, and a theme is one of three.
    "format": {"str", "PictureFormat"},
    "theme": {"str", "ThemeName"},
    "title": {"str", "str | Sequence[str]"},
    # Of searches, and of counts; of puzzles, days, worksheets and events.
    "method": {"MethodName", "CountMethod"},
    "kind": {"str", "PuzzleKind", "DayKind", "WorksheetKind"},
    "by": {"StatisticName | ChosenStatistic | Literal['symmetry', 'start']", "str | Iterable[str]"},
    "seed": {"Seed", "int"},
    "tours": {
        "Tour | Iterable[Tour]",
        "PathOrFile | Tour | Sequence[Path] | np.ndarray | Sample | Sequence[object]",
        "Tour | Sample | np.ndarray | Sequence[Tour]",
    },
}


def types_of_arguments() -> dict[str, dict[str, list[str]]]:
    """Return the functions by argument and type, without `| None` and modules."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for function, value in FUNCTIONS.items():
        for name, parameter in inspect.signature(value).parameters.items():
            if name not in ("self", "cls"):
                kind = re.sub(r"\b[a-z]\w*\.(?=[A-Z])", "", str(parameter.annotation)).replace(" | None", "")
                found[name][kind].append(function)
    return found


def test_an_argument_has_one_type_wherever_it_is_taken() -> None:
    wrong = {
        name: {kind: functions for kind, functions in types.items() if kind not in FORMS.get(name, ())}
        for name, types in types_of_arguments().items()
        if len(types) > 1 and not types.keys() <= FORMS.get(name, set())
    }
    assert not wrong


def test_a_word_that_may_have_several_forms_has_them() -> None:
    found = types_of_arguments()
    assert all(len(found[name]) > 1 for name in FORMS)


def test_each_word_of_the_glossary_is_defined_once() -> None:
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    rows = [row for row in re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE) if row not in ("word", "---")]
    words = [word.strip() for row in rows for word in row.split(",")]
    assert len(words) == len(set(words)) and len(words) > 30
