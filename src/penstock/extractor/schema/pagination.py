"""`api.pagination`: the methods and the stops that extractor/pagination has, with the settings of each."""

from __future__ import annotations

import sys

from penstock.extractor.pagination import KNOWN, METHODS, Method
from penstock.extractor.pagination.stops.force_stop import ForceStop
from penstock.extractor.pagination.stops.loop_guard import LoopGuard
from penstock.extractor.pagination.stops.next_page_flag import NextPageFlag
from penstock.extractor.schema.kinds import (
    EXACT,
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
from penstock.extractor.schema.structs import section_of

ABOUT = {
    "limit": "The page size.",
    "limitParam": "The parameter that carries the page size.",
    "offsetParam": "The parameter that carries the offset.",
    "firstPageParams": "Whether the first request has the paging parameters too.",
    "offsetFromJob": "Whether the first offset is the job's own.",
    "paramsWithin": "Where in the parameters the paging values go: a path with dots, for example variables.",
    "pageParam": "The parameter that carries the page number.",
    "firstPage": "The number of the first page.",
    "idKey": "The path of the id in each record, with dots into objects.",
    "param": "The parameter that carries the cursor.",
    "increment": "What is added to the highest id.",
    "reverse": "Whether the lowest id leads instead of the highest.",
    "urlKey": "The path of the next address in the response.",
    "delimiter": "What separates the keys of that path.",
    "urlHeader": "The response header that holds the next address, instead of urlKey.",
    "includeParams": "Whether the job's own parameters go along.",
    "paramIsQuery": "Whether what is found is a query for the same endpoint.",
    "responseParam": "The path of the next value in the response.",
    "responseHeader": "The response header that holds the next value, instead of responseParam.",
    "queryParam": "The parameter that carries the next value.",
    "scrollRequest": "What further requests have of their own, merged over the job's.",
    "rel": "The relation of the link to follow.",
}
_KINDS: dict[str, Schema] = {
    **dict.fromkeys(("idKey", "param", "queryParam"), REQUIRED_TEXT),
    "increment": EXACT,
    "scrollRequest": section(
        {
            "endpoint": setting(TEXT, "Where further requests go."),
            "method": setting(TEXT, "Their method."),
            "params": setting(MAP, "Their parameters."),
            "headers": setting(MAP, "Their headers."),
        }
    ),
}
_UNREAD = {"zendesk.response.url": ("delimiter",)}
"""Settings that a method has from another one and that no configuration can change."""
_DURATION: Schema = {"anyOf": [{"type": ["integer", "string"]}, NOT_SET]}
_COUNT: Schema = {"anyOf": [{"type": ["integer", "null"]}, {"type": "string", "pattern": "^[0-9]+$"}]}
_ABOUT_STOPS = {
    "field": "A key of the response.",
    "path": "A path in the response, instead of field.",
    "stopOn": "The value at which there is no further page.",
    "ifNotSet": "What a missing value counts as; the same as stopOn unless set.",
    "pages": "So many pages at most.",
    "time": "So many seconds at most, or a text such as 10 minutes.",
    "volume": "So many bytes of responses at most.",
}
_LOOP = section_of(
    LoopGuard,
    {"pages": "So many pages in a row without a new id are an error.", "idKey": ABOUT["idKey"]},
    without=("inner",),
    kinds={"pages": EXACT},
)
STOPS: dict[str, Schema] = {
    "nextPageFlag": {
        **section_of(
            NextPageFlag,
            _ABOUT_STOPS,
            without=("inner",),
            optional=("ifNotSet",),
            kinds={"stopOn": {"type": "boolean"}, "ifNotSet": {"type": ["boolean", "null"]}},
        ),
        "anyOf": [{"required": ["field"]}, {"required": ["path"]}],
        "description": "A value of the response says whether there is a further page.",
    },
    "forceStop": {
        **section_of(ForceStop, _ABOUT_STOPS, without=("inner", "note"), kinds={"pages": EXACT, "time": _DURATION}),
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
        "anyOf": [_LOOP, FLAG],
        "description": "An API that goes round in circles is an error; true, or how.",
    },
}


def _method(name: str, struct: type[Method]) -> Schema:
    kinds = {**_KINDS, **({"limit": SIZE} if name == "offset" else {})}
    schema = section_of(struct, ABOUT, kinds=kinds, without=_UNREAD.get(name, ()))
    if name == "response.param":
        either = ("responseParam", "responseHeader")
        schema["anyOf"] = [{"required": [each], "properties": {each: REQUIRED_TEXT}} for each in either]
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
"""Used by name, because paginations may stand inside each other."""
