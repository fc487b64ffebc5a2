"""APIs that are asked with POST: the token goes into the body."""

from __future__ import annotations

import json

from tests.support.api import Response, Seen
from tests.unit.extractor.tools.discovery.apis.small_api import Record, SmallApi, wrong

PAGES: list[Record] = [
    {"object": "page", "id": f"p-{n:04}", "last_edited_time": "2024-07-01T00:00:00.000Z", "archived": False}
    for n in range(215)
]
REPOSITORIES: list[Record] = [{"id": f"R_{n}", "name": f"repo{n}", "stargazerCount": n} for n in range(230)]
QUERY = "query($after: String) { repositories(first: 50, after: $after) { nodes { id name } pageInfo { endCursor } } }"


def _notion(seen: Seen, records: list[Record], url: str) -> Response:
    body = json.loads(seen.body) or {}
    if seen.method != "POST" or set(body) - {"page_size", "start_cursor", "filter"}:
        return wrong(f"body failed validation: {sorted(body)}")
    size, start = min(body.get("page_size", 100), 100), int(body.get("start_cursor", "c0")[1:])
    has_more = start + size < len(records)
    more = {"next_cursor": f"c{start + size}" if has_more else None, "has_more": has_more}
    return Response.json({"object": "list", "results": records[start : start + size], **more})


def _graphql(seen: Seen, records: list[Record], url: str) -> Response:
    """`endCursor` is there on the last page, too."""
    variables = json.loads(seen.body).get("variables") or {}
    start = int((variables.get("after") or "Y0")[1:])
    rest = records[start : start + 50]
    info = {"endCursor": f"Y{start + len(rest)}", "hasNextPage": start + 50 < len(records)}
    return Response.json({"data": {"repositories": {"nodes": rest, "pageInfo": info}}})


APIS = (
    SmallApi(
        "notion",
        "/v1/databases/d9824bdc84454327be8b5b47500af6ce/query",
        PAGES,
        _notion,
        "results",
        options="-H 'Authorization: Bearer secret_abc' -H 'Notion-Version: 2022-06-28' --json '{\"page_size\": 50}'",
        required={"Authorization": "Bearer secret_abc", "Notion-Version": "2022-06-28"},
        method="response.param",
    ),
    SmallApi(
        "graphql",
        "/graphql",
        REPOSITORIES,
        _graphql,
        "repositories",
        options=f"--json '{json.dumps({'query': QUERY, 'variables': {'first': 50}})}'",
        method="response.param",
    ),
)
