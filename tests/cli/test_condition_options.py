"""Tests that conditions have the same names, results and errors on the command line and in the API."""

import pytest

import knightstour as kt
from knightstour.interfaces.web.api import call_of


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("solve", {"require": [1]}, "require: 1 is not a move"),
        ("solve", {"given": [1]}, "given must be a dict"),
        ("solve", {"given": {"a1": {}}}, "given: a1 has no step left"),
        ("solve", {"given": {"a1": [[1]]}}, r"given: a1 cannot have the step \[1\]"),
        ("solve", {"symmetry": 90}, "symmetry must be a text"),
        ("facts", {"from_to": ["a1", "b3"], "squares": ["a1"]}, "from_to is two squares, without a tour"),
        ("space/rank", {"forbid": []}, "this request has no field 'forbid'"),
    ],
)
def test_bad_fields_are_one_error(path, body, said):
    with pytest.raises(kt.KnightsTourError, match=said):
        call_of(path, {"board": "6x6", **body})
