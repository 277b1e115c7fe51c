"""The OpenAPI document of the API, made from the table of plans, so that it cannot name a path that is not there."""

from __future__ import annotations

from typing import Any, Final

from knightstour import __version__
from knightstour.model.board import WRAPS
from knightstour.model.result import Status
from knightstour.web.api import PLANS, Plan

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

# What each field of a request is.
FIELDS: Final[dict[str, dict[str, Any]]] = {
    "board": {"$ref": "#/components/schemas/Board"},
    "closed": {"type": "boolean", "default": False},
    "start": {"anyOf": [{"$ref": "#/components/schemas/Square"}, {"type": "null"}]},
    "end": {"anyOf": [{"$ref": "#/components/schemas/Square"}, {"type": "null"}]},
    "method": {"type": "string", "default": "auto", "description": "a name of /api/methods"},
    "seed": {"type": ["integer", "null"], "description": "the same seed gives the same answer; drawn if missing"},
    "options": {"type": "object", "description": "of the method; see /api/methods"},
    "workers": {
        "type": ["integer", "null"],
        "minimum": 1,
        "description": "processes, of methods that share their work",
    },
    "seconds": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 30},
    "nodes": {"type": ["integer", "null"], "minimum": 1, "description": "steps of the search before giving up"},
    "events": {"type": ["integer", "null"], "minimum": 1, "maximum": 100_000},
    "path": {"$ref": "#/components/schemas/Steps"},
    "squares": {"$ref": "#/components/schemas/Steps"},
    "tours": {"type": "array", "items": {"$ref": "#/components/schemas/Steps"}, "minItems": 2, "maxItems": 2},
    "text": {"type": "string", "description": "tours in any text format; see docs/formats.md"},
    "format": {"type": ["string", "null"]},
    "style": {"type": ["string", "null"]},
    "theme": {"type": ["string", "null"]},
    "number": {"type": "string", "pattern": "^[0-9]+$", "description": "1 to count; a text, for it may be large"},
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


def document() -> dict[str, Any]:
    """The document, as JSON knows it.

    >>> sorted(document()["paths"])[:3]
    ['/api/check', '/api/compare', '/api/completable']
    """
    paths: dict[str, Any] = {
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


def _operation(name: str, plan: Plan) -> dict[str, Any]:
    answer = {"$ref": "#/components/schemas/Result"} if name == "solve" else {}
    schema = {
        "type": "object",
        "properties": {field: FIELDS[field] for field in plan.fields},
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
