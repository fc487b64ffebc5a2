"""Discovery only reads: GET, and POST where the user's own command is a query."""

from __future__ import annotations

import re
from typing import Any, cast

from penstock.extractor.curl.command import Command
from penstock.extractor.decode import NotJson, decode
from penstock.extractor.errors import UserError

_READS = re.compile(
    r"(_?search|query|list|find|filter|graphql|lookup|report|reports|read|scan|export)(\.\w+)?", re.IGNORECASE
)
_CHANGES = re.compile(r"\s*(mutation|subscription)\b")


def check_reads(command: Command, *, is_post_allowed: bool = False) -> None:
    """Raises UserError for a command that may change data."""
    if command.method == "GET":
        return
    if command.method != "POST":
        raise UserError(f"The command sends {command.method}, which may change data. Only GET and POST can read.")
    query = _graphql(command.data)
    if query is not None and _CHANGES.match(query):
        raise UserError("The GraphQL operation is not a query, so it may change data. Give a query.")
    segments = [part for part in re.split(r"[/.:]", command.url.path) if part]
    is_read = query is not None or any(_READS.fullmatch(segment) for segment in segments[-2:])
    if not is_post_allowed and not is_read:
        raise UserError(
            f"The command sends POST to {command.url.path or '/'}, which may change data. "
            "If it only reads, add --allow-post."
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
