"""Discovery only reads: GET, and POST where the user's own command is a query."""

from __future__ import annotations

import re
from typing import Any, cast
from urllib.parse import unquote_plus

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.config.jobs import Job
from penstock.extractor.requests.sending.message import Builder, over_defaults, read_method
from penstock.extractor.tools.curl.command import Command

_READS = re.compile(
    r"(_?search|query|list|find|filter|graphql|lookup|report|reports|read|scan|export)(\.\w+)?", re.IGNORECASE
)
_GRAPHQL = re.compile(
    r"""
    \"{3}(?:\\\"{3}|[^"]|\"{1,2}(?!\"))*\"{3} | "(?:\\.|[^"\\\n])*" | \#[^\r\n]*  # strings and comments
    | (?P<opens>[({\[]) | (?P<closes>[)}\]])
    | (?P<name>[$@]?\w+)
    """,
    re.VERBOSE,
)


def check_reads(command: Command, *, is_post_allowed: bool = False) -> None:
    """Raises UserError for a command that may change data."""
    _check("command", command.method, command.url.path, command.data, is_post_allowed=is_post_allowed)


def check_job_reads(job: Job, builder: Builder, *, is_post_allowed: bool = False) -> None:
    """Raises UserError for a job whose requests may change data."""
    request = over_defaults(builder.defaults, job.request(job.params, job.endpoint))
    method = "GET" if read_method(request) == "GET" else "POST"
    _check("job", method, job.endpoint, json_text(request.params), is_post_allowed=is_post_allowed)


def _check(what: str, method: str, path: str, data: str | None, *, is_post_allowed: bool) -> None:
    if method == "GET":
        return
    if method != "POST":
        raise UserError(f"The {what} sends {method}, which may change data. Only GET and POST can read.")
    segments = [part for part in re.split(r"[/.:]", path) if part]
    queries = _graphql(data, is_graphql="graphql" in (part.lower() for part in segments[-2:]))
    if any(map(_may_change, queries)):
        raise UserError("The GraphQL operation is not a query, so it may change data. Give a query.")
    is_read = bool(queries) or any(_READS.fullmatch(segment) for segment in segments[-2:])
    if not is_post_allowed and not is_read:
        raise UserError(
            f"The {what} sends POST to {path or '/'}, which may change data. "
            "If it only reads, add --allow-post; in an action, set `parameters.__ALLOW_POST` to true."
        )


def _graphql(data: str | None, *, is_graphql: bool) -> list[str]:
    """Returns the documents of a GraphQL request, or of several in one. `is_graphql`: the address takes nothing
    else."""
    try:
        body: Any = decode((data or "").encode("utf-8", "replace")).document
    except NotJson:  # the document itself, or a form
        return [unquote_plus(data or "")] if is_graphql else []
    requests = cast(list[Any], body) if isinstance(body, list) else [body]
    queries = [cast(dict[str, Any], request).get("query") for request in requests if isinstance(request, dict)]
    return [query for query in queries if isinstance(query, str) and "{" in query]


def _may_change(document: str) -> bool:
    """Returns whether one of its operations is no query. A document may have several, and fragments before them."""
    depth = 0
    for token in _GRAPHQL.finditer(document):
        depth += bool(token["opens"]) - bool(token["closes"])
        if depth <= 0 and token["name"] in ("mutation", "subscription"):
            return True
    return False
