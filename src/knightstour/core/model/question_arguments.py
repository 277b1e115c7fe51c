"""The keywords of a question, as every function that asks one takes and shows them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from knightstour.core.model.arguments import explains_arguments, showing
from knightstour.core.model.condition_table import CONDITIONS, QuestionArguments

F = TypeVar("F", bound=Callable[..., Any])


def takes_question(function: F) -> F:
    """As `shows_arguments`, for `**question: Unpack[QuestionArguments]`: with rows that CONDITIONS gets later.

    Where more keywords are joined to those of a question, they are shown as `**options`.
    """
    shown = showing(function, QuestionArguments)
    takes_others = any(p.kind is p.VAR_KEYWORD for p in inspect.signature(shown).parameters.values())
    return explains_arguments(shown, None if takes_others else CONDITIONS)
