"""`api.authentication`: the types that extractor/requests/auth has, with the settings of each."""

from __future__ import annotations

from penstock.extractor.config.schema.kinds import (
    NOT_SET,
    TEXT,
    VALUES,
    Schema,
    case,
    choice,
    section,
    setting,
)
from penstock.extractor.requests.auth import QUERY, READERS
from penstock.extractor.requests.auth.login import FORMATS
from penstock.extractor.requests.sending.message import METHODS

METHOD: Schema = {"anyOf": [{"enum": [*METHODS, *map(str.lower, METHODS)]}, NOT_SET]}
_FORMAT = choice(*FORMATS)
_EXPIRY = {
    "response": setting(TEXT, "The path of a time in the response to the login."),
    "relative": setting({}, "True: it is a number of seconds from then on."),
}
_EXPIRES: Schema = {
    "anyOf": [
        {"type": "integer"},
        {"type": "string", "pattern": "^ *[+-]?[0-9]{1,18} *$"},
        {"type": "object", "required": ["response"], "properties": _EXPIRY},
        NOT_SET,
    ]
}
_LOGIN = section(
    {
        "loginRequest": {
            "type": "object",
            "description": "The request that logs in; its functions may refer to `attr`, the `config` section.",
            "properties": {
                "endpoint": setting({"type": "string", "minLength": 1}, "Below baseUrl, or a whole address."),
                "method": setting(METHOD, "As in a job.", "GET"),
                "params": setting(VALUES, "What it sends."),
                "headers": setting(VALUES, "Its headers."),
            },
            "required": ["endpoint"],
        },
        "apiRequest": section(
            {
                "headers": setting(VALUES, "By name: a path in the response to the login, or a function."),
                "query": setting(VALUES, "The same for parameters."),
            },
            about="What all other requests get from the response to the login.",
        ),
        "format": setting(_FORMAT, "What the response to the login is; a text is called data.", "json"),
        "expires": setting(_EXPIRES, 'Seconds, or {"response": path, "relative": true}; never unless set.'),
    },
    ("loginRequest",),
)
_QUERY = section({"query": setting(VALUES, "Parameters of every request: texts, numbers or functions.")})
_OAUTH2 = section(
    {
        "format": setting(_FORMAT, "What `authorization.oauth_api.credentials.#data` is.", "text"),
        "headers": setting(VALUES, "Headers of every request."),
        "query": setting(VALUES, "Parameters of every request."),
    }
)
AUTHENTICATION: Schema = {
    **section(
        {
            "type": setting(
                choice(*QUERY, *READERS),
                "The method. basic takes #username and #password of `config`; oauth10, oauth20 "
                "and oauth20.login take `authorization.oauth_api.credentials`, which is next to `parameters`.",
            )
        },
        about="How requests prove who sends them.",
    ),
    "allOf": [
        case("type", QUERY, _QUERY),
        case("type", ("login", "oauth20.login"), _LOGIN),
        case("type", ("oauth20",), _OAUTH2),
    ],
}
NEEDS_QUERY: Schema = {
    "if": {
        "required": ["authentication"],
        "properties": {"authentication": {"required": ["type"], "properties": {"type": {"enum": list(QUERY)}}}},
        "not": {"required": ["query"]},
    },
    "then": {"properties": {"authentication": {"required": ["query"]}}},
}
"""A rule of `api`, where older configurations have the parameters."""
