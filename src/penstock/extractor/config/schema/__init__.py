"""The JSON schema of a configuration, for the user interface and for people and agents who write one.

kinds.py           schemas of single settings
structs.py         from settings declared in structs to schemas
pagination.py      methods and stops, from extractor/requests/pagination
authentication.py  types, from extractor/requests/auth
api.py             the `api` section
jobs.py            the `config` section: jobs, mappings, proof

Unknown keys are allowed everywhere: functions may refer to those of `config`, and the extractor warns about others
(unknown_keys.py).
"""

from __future__ import annotations

from penstock.extractor.config.schema.api import API
from penstock.extractor.config.schema.jobs import CONFIG, JOB, MAPPING
from penstock.extractor.config.schema.kinds import (
    DEFINITIONS,
    FLAG,
    REQUIRED_TEXT,
    SECONDS,
    Schema,
    items,
    section,
    setting,
)
from penstock.extractor.config.schema.pagination import PAGINATION
from penstock.extractor.requests.auth.aws_signature import OPTIONS

__all__ = ["PARAMETERS"]

_TEXT: Schema = {"type": "string", "pattern": r"\S"}
_SSH = section(
    {
        "host": setting(_TEXT, "The SSH server, by name or address."),
        "port": setting({"type": ["integer", "string"]}, "Its port, mostly 22."),
        "user": setting(_TEXT, "The user to log in as."),
        "#privateKey": setting(_TEXT, "The user's private key, without a passphrase, with its line breaks."),
        "hostKey": setting({"type": ["string", "null"]}, "The key that the server must have."),
    },
    ("host", "port", "user", "#privateKey"),
    "An SSH tunnel through which all requests go.",
)
_CREDENTIALS = section(
    {name: setting(REQUIRED_TEXT, "Of the AWS key that signs requests.") for name in OPTIONS}, OPTIONS, "The AWS key."
)
_CACHE: Schema = {
    "anyOf": [{"type": ["boolean", "null"]}, section({"ttl": setting(SECONDS, "For how many seconds.", 604_800)})],
    "description": "Whether responses to GET are cached on disk, for development.",
}
_WITH_JOBS: Schema = {
    "required": ["jobs"],
    "properties": {"jobs": {"type": ["array", "object"], "minItems": 1, "minProperties": 1}},
}
_WITH_LOGIN: Schema = {
    "allOf": [{"anyOf": [{"required": [name]}, {"required": [f"#{name}"]}]} for name in ("username", "password")]
}
_BASIC: Schema = {"properties": {"authentication": {"required": ["type"], "properties": {"type": {"const": "basic"}}}}}
PARAMETERS: Schema = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Parameters",
    "type": "object",
    "required": ["api", "config"],
    "properties": {
        "api": API,
        "config": setting(
            {"allOf": [{"$ref": "#/definitions/config"}, _WITH_JOBS]}, "What is read, and what becomes of it."
        ),
        "iterations": items(
            {"$ref": "#/definitions/config"}, "Runs of the same jobs, each with other settings of `config`."
        ),
        "cache": _CACHE,
        "strict": setting(FLAG, "Whether an unknown key is an error instead of a warning.", False),
        "sshProxy": _SSH,
        "aws": section(
            {"signature": section({"credentials": _CREDENTIALS}, about="AWS signature, version 4.")},
            about="For APIs of AWS, in addition to any other authentication.",
        ),
    },
    "if": {"not": {"required": ["iterations"]}, "properties": {"api": {"required": ["authentication"], **_BASIC}}},
    "then": {"properties": {"config": _WITH_LOGIN}},
    "definitions": {
        "config": CONFIG,
        "job": JOB,
        "pagination": PAGINATION,
        "mapping": MAPPING,
        **DEFINITIONS,
    },
}
"""The schema of `parameters`, the part of a configuration that belongs to the extractor."""
