"""Discovery only reads: GET, and POST where the user's own command is a query."""

from __future__ import annotations

import re
from typing import Any, cast

from penstock.extractor.config.jobs import Job
from penstock.extractor.curl.command import Command
from penstock.extractor.decode import NotJson, decode
from penstock.extractor.errors import UserError
from penstock.extractor.json_text import json_text
from penstock.extractor.sending.message import Builder, method_of, over_defaults

_READS = re.compile(
    r"(_?search|query|list|find|filter|graphql|lookup|report|reports|read|scan|export)(\.\w+)?", re.IGNORECASE
)
_CHANGES = re.compile(r"\s*(mutation|subscription)\b")


def check_reads(command: Command, *, is_post_allowed: bool = False) -> None:
    """Raises UserError for a command that may change data."""
    _check("command", command.method, command.url.path, command.data, is_post_allowed=is_post_allowed)


def check_job_reads(job: Job, builder: Builder, *, is_post_allowed: bool = False) -> None:
    """Raises UserError for a job whose requests may change data."""
    request = over_defaults(builder.defaults, job.request(job.params, job.endpoint))
    method = "GET" if method_of(request) == "GET" else "POST"
    _check("job", method, job.endpoint, json_text(request.params), is_post_allowed=is_post_allowed)


def _check(what: str, method: str, path: str, data: str | None, *, is_post_allowed: bool) -> None:
    if method == "GET":
        return
    if method != "POST":
        raise UserError(f"The {what} sends {method}, which may change data. Only GET and POST can read.")
    query = _graphql(data)
    if query is not None and _CHANGES.match(query):
        raise UserError("The GraphQL operation is not a query, so it may change data. Give a query.")
    segments = [part for part in re.split(r"[/.:]", path) if part]
    is_read = query is not None or any(_READS.fullmatch(segment) for segment in segments[-2:])
    if not is_post_allowed and not is_read:
        raise UserError(
            f"The {what} sends POST to {path or '/'}, which may change data. "
            "If it only reads, add --allow-post; in an action, set `parameters.__ALLOW_POST` to true."
        )


def _graphql(data: str | None) -> str | None:
    """The operation of a GraphQL request."""
    try:
        body: Any = decode((data or "").encode("utf-8", "replace")).document
    except NotJson:
        return None
    query = cast(dict[str, Any], body).get("query") if isinstance(body, dict) else None
    is_graphql = isinstance(query, str) and "{" in query
    return query if is_graphql else None
