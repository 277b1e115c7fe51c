"""The OpenAPI document of the API, made from the table of plans, so that it cannot name a path that is not there."""

from __future__ import annotations

import json
from typing import Final

from knightstour import __version__
from knightstour.model.board import WRAPS
from knightstour.model.result import Status
from knightstour.web.api import PLANS, Plan
from knightstour.web.fields import FIELDS, Json, Schema

_SQUARE: Final = {
    "description": "a name such as a1 (bottom left), or row,col or [row, col] from the top left",
    "oneOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    ],
}
_STEPS: Final = {
    "description": "squares in order of visit; a whole number is row * cols + col",
    "type": "array",
    "items": {"anyOf": [{"$ref": "#/components/schemas/Square"}, {"type": "integer"}]},
}
_BOARD: Final = {
    "description": "rows x columns, a drawing with . for a square and # for a hole, or an object",
    "oneOf": [
        {"type": "string"},
        {
            "type": "object",
            "required": ["rows", "cols"],
            "additionalProperties": False,
            "properties": {
                "rows": {"type": "integer", "minimum": 1},
                "cols": {"type": "integer", "minimum": 1},
                "holes": {"type": "array", "items": {"$ref": "#/components/schemas/Square"}},
                "wrap": {"enum": [*WRAPS, None]},
                "leaper": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2},
            },
        },
    ],
}
_NOTHING: Final = {"type": ["string", "null"]}
_RESULT: Final = {
    "description": "what `knightstour solve --json` prints",
    "type": "object",
    "required": ["status", "closed", "rows", "cols", "squares", "method", "reason", "source", "seed", "nodes"],
    "properties": {
        "status": {"enum": [status.value for status in Status]},
        "closed": {"type": "boolean"},
        "rows": {"type": "integer"},
        "cols": {"type": "integer"},
        "squares": {
            "type": ["array", "null"],
            "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
        },
        "method": {"type": "string"},
        "reason": _NOTHING,
        "source": _NOTHING,
        "seed": {"type": "integer"},
        "nodes": {"type": "integer"},
        "seconds": {"type": "number"},
    },
}
_ERROR: Final = {
    "description": "what is wrong, a fact about it, and what to do",
    "type": "object",
    "required": ["error", "note", "help"],
    "properties": {
        "error": {"type": "string"},
        "note": {"type": "string"},
        "help": {"type": "string"},
        "step": {"type": "integer", "description": "the 0-based step at which a path goes wrong"},
    },
}

_ERRORS: Final = {
    "400": "the question makes no sense, or is over a bound",
    "403": "the request comes from another site",
    "409": "the tours are not numbered yet",
    "413": "the body is too large",
    "415": "the body is not JSON",
    "429": "this client has too many requests waiting",
    "500": "a worker died or ran out of time",
    "503": "the server has too many requests waiting",
}


def document() -> dict[str, Json]:
    """The document, as JSON knows it.

    >>> sorted(document()["paths"])[:2]
    ['/api/check', '/api/compare']
    """
    paths: dict[str, Json] = {
        f"/api/{name}": {
            "get": {
                "summary": summary,
                "operationId": name.partition(".")[0],
                "responses": {"200": {"description": "OK", "content": {"application/json": {"schema": {}}}}},
            }
        }
        for name, summary in (
            ("health", "Is the server there?"),
            ("methods", "The methods and their options"),
            ("laws", "The laws of samples and their options"),
            ("objectives", "What a tour can be improved in"),
            ("drawing", "The styles, options and colours of pictures"),
            ("openapi.json", "This document"),
        )
    }
    paths |= {f"/api/{name}": {"post": _operation(name, plan)} for name, plan in PLANS.items()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "knightstour", "version": __version__, "description": "See docs/web.md."},
        "paths": paths,
        "components": {
            "schemas": {"Board": _BOARD, "Square": _SQUARE, "Steps": _STEPS, "Result": _RESULT, "Error": _ERROR}
        },
    }


def _or_null(row: Schema, is_needed: bool) -> Json:
    """The row of a field that may be null where it may be missing."""
    return dict(row) if is_needed else {"anyOf": [dict(row), {"type": "null"}]}


def table() -> str:
    """The questions and their fields as the table in docs/web.md."""
    lines = ["| `POST /api/` | answers | fields; needed ones first |", "|---|---|---|"]
    for name, plan in PLANS.items():
        optional = [f"`{field}`" for field in plan.fields if field not in plan.needed]
        needed = [f"**`{field}`**" for field in plan.needed]
        lines.append(f"| `{name}` | {plan.summary} | {', '.join([*needed, *optional])} |")
    return "\n".join(lines)


def fields_table() -> str:
    """What each field is, as the table in docs/web.md."""
    lines = ["| field | meaning |", "|---|---|"]
    for name, row in FIELDS.items():
        bounds = {"minimum": "at least", "exclusiveMinimum": "more than", "maximum": "at most", "default": "by default"}
        words = [str(row.get("description", ""))] + [
            f"{text} {json.dumps(row[bound])}" for bound, text in bounds.items() if bound in row
        ]
        lines.append(f"| `{name}` | {', '.join(word for word in words if word) or 'see above'} |")
    return "\n".join(lines)


def _operation(name: str, plan: Plan) -> dict[str, Json]:
    answer = {"$ref": "#/components/schemas/Result"} if name == "solve" else {}
    schema = {
        "type": "object",
        "properties": {name: _or_null(row, name in plan.needed) for name, row in plan.rows.items()},
        "required": list(plan.needed),
        "additionalProperties": False,
    }
    refusal = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        "summary": plan.summary,
        "operationId": name.replace("/", "_"),
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {
            "200": {"description": plan.summary, "content": {plan.media_type: {"schema": answer}}},
            **{status: {"description": text, "content": refusal} for status, text in _ERRORS.items()},
        },
    }
