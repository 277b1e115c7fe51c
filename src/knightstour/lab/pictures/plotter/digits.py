"""Digits for a pen: each is one stroke, on a field four wide and six high."""

from __future__ import annotations

from typing import Final

from knightstour.core.drawing.figure import Point

_WIDE, _HIGH, _STEP = 4.0, 6.0, 5.6

# Points x,y of the stroke, from the top left.
_STROKES: Final = {
    "0": "1,0 3,0 4,1 4,5 3,6 1,6 0,5 0,1 1,0",
    "1": "1,1 2.2,0 2.2,6",
    "2": "0,1 1,0 3,0 4,1 4,2 0,6 4,6",
    "3": "0,1 1,0 3,0 4,1 4,2 3,3 1.5,3 3,3 4,4 4,5 3,6 1,6 0,5",
    "4": "3,6 3,0 0,4 4,4",
    "5": "4,0 0,0 0,2.5 3,2.5 4,3.5 4,5 3,6 1,6 0,5",
    "6": "4,1 3,0 1,0 0,1 0,5 1,6 3,6 4,5 4,3.5 3,2.5 1,2.5 0,3.5",
    "7": "0,0 4,0 1.5,6",
    "8": "1,3 0,2 0,1 1,0 3,0 4,1 4,2 3,3 1,3 0,4 0,5 1,6 3,6 4,5 4,4 3,3",
    "9": "4,2.5 3,3.5 1,3.5 0,2.5 0,1 1,0 3,0 4,1 4,5 3,6 1,6 0,5",
    "…": "0,6 4,6",
}


def written(text: str, middle: Point, height: float) -> list[list[Point]]:
    """The strokes of a number whose middle is at a point.

    >>> written("7", (0, 0), 6)
    [[(-2.0, -3.0), (2.0, -3.0), (-0.5, 3.0)]]
    """
    scale = height / _HIGH
    x, y = middle[0] - width_of(text, height) / 2, middle[1] - height / 2
    return [
        [(x + scale * (k * _STEP + px), y + scale * py) for px, py in _points(letter)] for k, letter in enumerate(text)
    ]


def width_of(text: str, height: float) -> float:
    """How wide a number is."""
    return ((len(text) - 1) * _STEP + _WIDE) * height / _HIGH


def _points(letter: str) -> list[Point]:
    pairs = (pair.split(",") for pair in _STROKES[letter].split())
    return [(float(x), float(y)) for x, y in pairs]
