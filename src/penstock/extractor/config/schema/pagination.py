"""`api.pagination`: the methods and the stops that extractor/requests/pagination has, with the settings of each."""

from __future__ import annotations

import sys

from penstock.extractor.config.schema.kinds import (
    FLAG,
    MAP,
    NOT_SET,
    REQUIRED_TEXT,
    SIZE,
    TEXT,
    WHOLE,
    Schema,
    case,
    choice,
    section,
    setting,
)
from penstock.extractor.config.schema.structs import build_section
from penstock.extractor.requests.pagination import KNOWN, METHODS, Method
from penstock.extractor.requests.pagination.stops.force_stop import ForceStop
from penstock.extractor.requests.pagination.stops.loop_guard import LoopGuard
from penstock.extractor.requests.pagination.stops.next_page_flag import NextPageFlag

_SCROLL_REQUEST = section(
    {
        "endpoint": setting(TEXT, "Where further requests go."),
        "method": setting(TEXT, "Their method."),
        "params": setting(MAP, "Their parameters."),
        "headers": setting(MAP, "Their headers."),
    }
)
_DURATION: Schema = {"anyOf": [{"type": ["integer", "string"]}, NOT_SET]}
_COUNT: Schema = {"anyOf": [{"type": ["integer", "null"]}, {"type": "string", "pattern": "^[0-9]+$"}]}
STOPS: dict[str, Schema] = {
    "nextPageFlag": {
        **build_section(
            NextPageFlag,
            optional=("ifNotSet",),
            kinds={"stopOn": {"type": "boolean"}, "ifNotSet": {"type": ["boolean", "null"]}},
        ),
        "anyOf": [{"required": ["field"]}, {"required": ["path"]}],
        "description": "A value of the response says whether there is a further page.",
    },
    "forceStop": {
        **build_section(ForceStop, kinds={"time": _DURATION}),
        "description": "Enough for one job.",
    },
    "limitStop": {
        **section(
            {
                "count": setting(WHOLE, "So many records at most."),
                "field": setting(TEXT, "Where the response says how many records there are, instead of count."),
            }
        ),
        "oneOf": [{"required": ["count"]}, {"required": ["field"]}],
        "description": "Enough records.",
    },
    "loopGuard": {
        "anyOf": [build_section(LoopGuard), FLAG],
        "description": "An API that goes round in circles is an error; true, or how.",
    },
}


def _method(name: str, struct: type[Method]) -> Schema:
    kinds = {"scrollRequest": _SCROLL_REQUEST, **({"limit": SIZE} if name == "offset" else {})}
    schema = build_section(struct, kinds=kinds)
    if name == "response.param":
        either = ("responseParam", "responseHeader")
        schema["anyOf"] = [{"required": [key], "properties": {key: REQUIRED_TEXT}} for key in either]
    return {"description": (sys.modules[struct.__module__].__doc__ or "").partition("\n")[0], **_without_type(schema)}


def _without_type(schema: Schema) -> Schema:
    return {name: value for name, value in schema.items() if name not in ("type", "maxItems")}


_MULTIPLE: Schema = {
    "description": "Several paginations by name; each job names its own with `scroller`.",
    "properties": {
        "scrollers": {
            "type": ["object", "array"],
            "minProperties": 1,
            "additionalProperties": {"allOf": [{"type": ["object", "array"]}, {"$ref": "#/definitions/pagination"}]},
            "description": "Paginations by name.",
        },
        "default": setting(TEXT, "The name that jobs without a `scroller` use."),
    },
    "required": ["scrollers"],
}
PAGINATION: Schema = {
    **section(
        {"method": setting(choice(*KNOWN), "How pages follow each other; without it there is one request per job.")}
        | STOPS
        | {"pages": setting(_COUNT, "Has no effect: see forceStop.")},
        about="How pages follow each other, and when to stop.",
    ),
    "allOf": [
        *(case("method", (name,), _method(name, struct)) for name, struct in METHODS.items()),
        case("method", ("multiple",), _MULTIPLE),
    ],
}
"""Referenced by name, because paginations may be nested."""
