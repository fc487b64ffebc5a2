"""Whatever stands in a configuration, it is read or refused in a sentence: it never ends in a traceback."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from tests.unit.extractor.config.reading import read_all

JUNK: list[Any] = [
    None,
    True,
    0,
    -1,
    10**400,
    1.5,
    -1e308,
    "",
    "0",
    "x",
    "--1",
    "\0",
    "é\U0001f600",
    "https://[",
    "9" * 400,
    [],
    [None],
    ["x", 5],
    [[]],
    [{}],
    {},
    {"": ""},
    {"0": {}},
    {"a": {"b": [1]}},
    {"function": "gone"},
    {"attr": ["x"]},
]
API = [
    "baseUrl",
    "name",
    "caCertificate",
    "clientCertificate",
    "#clientCertificate",
    "authentication",
    "authentication.type",
    "authentication.query",
    "query",
    "pagination",
    "pagination.method",
    "pagination.pages",
    "retryConfig",
    "retryConfig.maxRetries",
    "retryConfig.maxWait",
    "retryConfig.http",
    "retryConfig.http.codes",
    "retryConfig.http.retryHeader",
    "retryConfig.curl",
    "retryConfig.curl.codes",
    "retryConfig.httpCodes",
    "retryConfig.headerName",
    "retryConfig.curlCodes",
    "http",
    "http.headers",
    "http.headers.X",
    "http.requiredHeaders",
    "http.defaultOptions",
    "http.defaultOptions.params",
    "http.ignoreErrors",
    "http.connectTimeout",
    "http.requestTimeout",
    "rateLimit",
    "rateLimit.requests",
    "rateLimit.interval",
    "trustedHosts",
]
CONFIG = [
    "jobs",
    "outputBucket",
    "id",
    "debug",
    "incrementalOutput",
    "compatLevel",
    "userData",
    "mappings",
    "mappings.users",
    "http",
    "http.headers",
    "http.headers.X",
    "username",
    "#username",
    "password",
    "#password",
    "anything",
]
JOB = [
    "endpoint",
    "id",
    "method",
    "params",
    "params.x",
    "headers",
    "headers.X",
    "dataType",
    "dataField",
    "dataField.path",
    "dataField.delimiter",
    "responseFilter",
    "responseFilterDelimiter",
    "responseFormat",
    "responseFormat.format",
    "responseFormat.encoding",
    "userData",
    "scroller",
    "children",
    "placeholders",
    "recursionFilter",
]
PATHS = [
    *(f"parameters.api.{path}" for path in API),
    *(f"parameters.config.{path}" for path in CONFIG),
    *(f"parameters.config.jobs.0.{path}" for path in JOB),
    *("parameters", "parameters.api", "parameters.config", "parameters.iterations", "parameters.cache"),
    *("parameters.cache.ttl", "parameters.aws", "parameters.aws.signature", "parameters.aws.signature.credentials"),
    *("authorization", "authorization.oauth_api", "image_parameters", "image_parameters.allowed_hosts"),
]


@pytest.mark.parametrize("path", PATHS)
def test_junk_is_read_or_refused(path: str):
    for junk in JUNK:
        with suppress(UserError):
            read_all({path: junk})


@pytest.mark.parametrize("kind", ["basic", "query", "url.query", "login", "oauth10", "oauth20", "oauth20.login"])
def test_junk_in_credentials_is_read_or_refused(kind: str):
    for junk in JUNK:
        authentication = {"type": kind, "query": junk, "loginRequest": junk, "apiRequest": junk, "expires": junk}
        credentials = {"#data": junk, "appKey": junk, "#appSecret": junk}
        changes = {
            "parameters.api.authentication": {**authentication, "headers": junk, "format": junk},
            "parameters.config.username": junk,
            "parameters.config.password": junk,
            "authorization.oauth_api.credentials": credentials,
        }
        with suppress(UserError):
            read_all(changes)
