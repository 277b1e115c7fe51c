"""The OpenAPI document of the API, made from the table of plans, so that its paths are always those of the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from knightstour import __version__
from knightstour.core.model.board import WRAPS
from knightstour.core.model.result import Status
from knightstour.interfaces.web.api import ROUTES, Route
from knightstour.interfaces.web.fields import Json

_SCHEMAS = Path(__file__).with_name("schemas.json")
_ERRORS: Final = {
    "400": "the question makes no sense, or is over a bound",
    "403": "the request comes from another site",
    "409": "the tours are not numbered yet",
    "413": "the body is too large",
    "415": "the body is not JSON",
    "429": "this client has too many requests waiting",
    "500": "a worker died",
    "503": "the server has too many requests waiting, or the answer did not come in time",
}


def document() -> dict[str, Json]:
    """The document, as JSON knows it.

    >>> sorted(document()["paths"])[:2]
    ['/api/check', '/api/compare/tours']
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
            ("drawing", "The styles, options and colours of pictures"),
            ("words", "The sentences and counters of a watched search"),
            ("openapi.json", "This document"),
        )
    }
    schemas = json.loads(_SCHEMAS.read_text(encoding="utf-8"))
    board = next(form for form in schemas["Board"]["oneOf"] if form["type"] == "object")
    board["properties"]["wrap"] = {"enum": [*WRAPS, None]}
    schemas["Result"]["properties"]["status"] = {"enum": [status.value for status in Status]}
    paths |= {f"/api/{name}": {"post": _operation(name, route)} for name, route in ROUTES.items()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "knightstour", "version": __version__, "description": "See docs/web.md."},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(name: str, route: Route) -> dict[str, Json]:
    answer = {"$ref": "#/components/schemas/Result"} if name == "solve" else {}
    schema = {
        "type": "object",
        # A field that may be missing may also be null.
        "properties": {
            name: dict(row) if name in route.needed else {"anyOf": [dict(row), {"type": "null"}]}
            for name, row in route.rows.items()
        },
        "required": list(route.needed),
        "additionalProperties": False,
    }
    refusal = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        "summary": route.summary,
        "operationId": name.replace("/", "_"),
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {
            "200": {"description": route.summary, "content": {route.media_type: {"schema": answer}}},
            **{status: {"description": text, "content": refusal} for status, text in _ERRORS.items()},
        },
    }
