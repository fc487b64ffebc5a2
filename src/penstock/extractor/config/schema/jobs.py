"""The `config` section: the jobs, one for each endpoint, and what becomes of their records."""

from __future__ import annotations

from typing import get_args

from penstock.extractor.base.formats import Name
from penstock.extractor.config.policies import EmptyResponse, Policies
from penstock.extractor.config.schema.authentication import METHOD
from penstock.extractor.config.schema.kinds import (
    ANY,
    FLAG,
    MAP,
    NOT_SET,
    REQUIRED_TEXT,
    TEXT,
    TEXTS,
    VALUES,
    Schema,
    case,
    choice,
    items,
    section,
    setting,
)
from penstock.extractor.config.schema.structs import build_section
from penstock.extractor.records.mapping.reading import TYPES

_FIELD: Schema = {
    "anyOf": [
        TEXT,
        section(
            {
                "path": setting(REQUIRED_TEXT, "The path of the records."),
                "delimiter": setting(TEXT, "What separates its keys.", "."),
            },
            ("path",),
        ),
    ]
}
_FORMAT: Schema = {
    "anyOf": [
        choice(*get_args(Name)),
        section(
            {
                "format": setting(choice(*get_args(Name)), "The format.", "json"),
                "delimiter": setting(TEXT, "Of CSV: what separates values.", ","),
                "quote": setting(TEXT, "Of CSV: what stands around values.", '"'),
                "encoding": setting(TEXT, "Of CSV: its encoding.", "utf-8"),
            }
        ),
    ]
}
_FILTER: Schema = {"anyOf": [{"type": "string", "pattern": "==|!=|>|<|~~|!~"}, NOT_SET]}
_BUCKET: Schema = {"anyOf": [{"type": "string", "pattern": "^[^/]*$"}, {"type": "number"}, NOT_SET]}
_COLUMNS: Schema = {"not": {"type": "array", "minItems": 1}}
JOB: Schema = {
    "type": "object",
    "required": ["endpoint"],
    "properties": {
        "endpoint": setting(
            {"type": "string", "minLength": 1},
            "Below baseUrl, or a whole address; `{name}` is filled from `placeholders`.",
        ),
        "method": setting(METHOD, "GET; POST sends params as JSON, FORM as a form.", "GET"),
        "params": setting(VALUES, "The query, or the body."),
        "headers": setting(MAP, "Headers of this job's requests."),
        "dataField": setting(_FIELD, "Where in a response the records are; unless set, its only array."),
        "dataType": setting(TEXT, "Names the table; the endpoint unless set."),
        "responseFormat": setting(_FORMAT, "What a response is written in.", "json"),
        "responseFilter": setting(TEXTS, "Paths of what stays JSON text in one column."),
        "responseFilterDelimiter": setting(TEXT, "What separates the keys of these paths.", "."),
        "userData": setting(_COLUMNS, "Columns to add to every row, by name."),
        "scroller": setting(ANY, "Which pagination, where api.pagination has several."),
        "primaryKey": setting(TEXTS, "Columns that identify a row of the table, so that rows can be updated."),
        "incremental": setting(FLAG, "Whether rows are added to the table; as `incrementalOutput` unless set."),
        "emptyResponse": setting(choice(*get_args(EmptyResponse)), "What a response without a body is.", "warning"),
        "expectedCount": setting(TEXT, "Where a response says how many records there are."),
        "children": items({"$ref": "#/definitions/job"}, "Jobs that run for each record of this one."),
        "placeholders": setting(
            {"type": ["object", "array", "null"], "maxItems": 0},
            "Of a child: what `{name}` in the endpoint becomes, a path in the record above.",
        ),
        "recursionFilter": setting(_FILTER, "Of a child: which records above it runs for, for example status==open."),
        "id": setting(TEXT, "Jobs of one id are one job."),
    },
}
_TARGET: Schema = {"required": ["destination"], "properties": {"destination": REQUIRED_TEXT}}
_ENTRY: Schema = {
    **section(
        {
            "type": setting(choice(*TYPES), "What it becomes.", TYPES[0]),
            "mapping": section(
                {
                    "destination": setting(TEXT, "The name of the column."),
                    "primaryKey": setting(ANY, "True: the column belongs to the primary key."),
                },
                about="Of a column: where the value goes.",
            ),
            "forceType": setting(ANY, "True: lists and objects become JSON text."),
            "delimiter": setting(TEXT, "What separates the keys of the path.", "."),
            "destination": setting(TEXT, "Of a table: its name."),
            "tableMapping": setting({"allOf": [{"$ref": "#/definitions/mapping"}]}, "Of a table: its columns."),
            "parentKey": section(
                {
                    "destination": setting(TEXT, "Its name; the name of the table above with _pk unless set."),
                    "primaryKey": setting(ANY, "True: it belongs to the primary key."),
                    "disable": setting(ANY, "True: there is none."),
                },
                about="Of a table: the column that links to the row above.",
            ),
        }
    ),
    **case("type", ("table",), _TARGET),
    "else": {"required": ["mapping"], "properties": {"mapping": _TARGET}},
}
_MAPPING: Schema = {"anyOf": [{"type": "string", "minLength": 1}, _ENTRY]}
MAPPING: Schema = {
    "description": "Columns by the path of their value: a name, or an object with `type` and `mapping.destination`.",
    "type": ["object", "array", "null"],
    "additionalProperties": _MAPPING,
    "items": _MAPPING,
}
_NOT_EMPTY: Schema = {"type": ["object", "array"], "minItems": 1, "minProperties": 1}
CONFIG: Schema = {
    "type": "object",
    "description": 'What is read, and what becomes of it. Any other key can be referred to as {"attr": "key"}.',
    "properties": {
        "jobs": items({"$ref": "#/definitions/job"}, "One for each endpoint, run in order."),
        "outputBucket": setting(_BUCKET, "The first part of the tables' names."),
        "incrementalOutput": setting(FLAG, "Whether rows are added to the tables instead of replacing them.", False),
        "types": setting(choice("infer"), "`infer`: columns have the types of their values; texts unless set."),
        "mappings": items(
            {"allOf": [{"$ref": "#/definitions/mapping"}, _NOT_EMPTY]},
            "Which values become which columns, by data type.",
        ),
        "userData": setting(_COLUMNS, "Columns to add to every row of the jobs at the top, by name."),
        "http": section({"headers": setting(VALUES, "Headers of every request.")}, about="As `api.http`."),
        "emptyResponse": setting(choice(*get_args(EmptyResponse)), "`emptyResponse` of jobs that do not set it."),
        "proof": {**build_section(Policies), "description": "What makes a run suspicious, and what then."},
        "compatLevel": setting(
            {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^ *-?[0-9]{1,9} *$"}, NOT_SET]},
            "Tables as they once were: 1 or 2.",
            3,
        ),
        "debug": setting(ANY, "True: a line in the log for every request.", False),
        "id": setting(TEXT, "With `api.name` it names the bucket, where there is no `outputBucket`."),
        "#username": setting(TEXT, "For basic authentication; or username."),
        "#password": setting(TEXT, "For basic authentication; or password."),
    },
}
