"""What one door can be asked, the others can be asked too, in the same words; or a reason is given."""

import inspect

import pytest

import doors
from helpers.public import PATHS, PUBLIC
from knightstour.interfaces.cli.app import COMMANDS
from knightstour.interfaces.web.api import ROUTES


@pytest.mark.parametrize("question", doors.QUESTIONS, ids=lambda question: question.text)
def test_every_argument_has_an_option_or_a_reason(question: doors.Question) -> None:
    gaps = [row for row in doors.rows(question, doors.Reasons()) if not all(row)]
    assert not gaps


def test_every_public_function_command_and_path_belongs_to_a_question() -> None:
    functions = {PATHS[name] for name, value in PUBLIC.items() if inspect.isfunction(value)}
    asked = {name for question in doors.QUESTIONS for name in question.python.split()}
    assert functions - asked == set(doors.ONLY_PYTHON)
    assert set(COMMANDS) - {question.command for question in doors.QUESTIONS} == set(doors.ONLY_COMMANDS)
    paths = {path for question in doors.QUESTIONS for path in question.page.split()}
    assert set(ROUTES) - paths == set(doors.ONLY_PAGE)


def test_every_reason_is_needed() -> None:
    reasons = doors.Reasons()
    for question in doors.QUESTIONS:
        list(doors.rows(question, reasons))
    given = {
        (key, door)
        for key, reason in doors.REASONS.items()
        for door in (doors.DOORS if isinstance(reason, str) else reason)
    }
    assert {key for key, _ in given} == {key for key, _ in reasons.used}
    assert {(key, door) for key, door in given if not isinstance(doors.REASONS[key], str)} <= reasons.used
