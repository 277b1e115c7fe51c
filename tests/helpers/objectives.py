"""Objectives by name, for tests with a parameter: "turns" is minimize="turns", "most-turns" is maximize="turns"."""

from __future__ import annotations

from typing import Any

from knightstour.lab.objectives.table import Objective, improvable

OBJECTIVES = {
    f"{most}{name}": Objective(name, sign) for name in improvable() for most, sign in (("", 1), ("most-", -1))
}


def goal(name: str) -> dict[str, Any]:
    """Return the argument minimize or maximize."""
    return {"maximize": name.removeprefix("most-")} if name.startswith("most-") else {"minimize": name}
