"""APIs as frameworks and other services make them: Django, Laravel, Spring, GitLab, Elasticsearch, Reddit, CKAN, …"""

from __future__ import annotations

import json
from typing import Any

from tests.support.api import Response, Seen
from tests.unit.extractor.tools.discovery.apis.small_api import Record, SmallApi, number, wrong

ROWS: list[Record] = [{"id": n, "name": f"Row {n}", "price": f"{n}.10"} for n in range(1, 206)]
LINKS: list[Record] = [{"kind": "t3", "data": {"name": f"t3_{n}", "title": f"Link {n}"}} for n in range(110)]
HITS: list[Record] = [{"_index": "i", "_id": f"h{n}", "_score": None, "_source": {"name": f"h{n}"}} for n in range(130)]


def _django(seen: Seen, records: list[Record], url: str) -> Response:
    start, size = number(seen, "offset", 0), min(number(seen, "limit", 10), 100)
    following = f"{url}{seen.path}?limit={size}&offset={start + size}" if start + size < len(records) else None
    rest = records[start : start + size]
    return Response.json({"count": len(records), "next": following, "previous": None, "results": rest})


def _laravel(seen: Seen, records: list[Record], url: str) -> Response:
    page, size = number(seen, "page", 1), 15
    last = -(-len(records) // size)
    following = f"{url}{seen.path}?page={page + 1}" if page < last else None
    numbers: dict[str, Any] = {"current_page": page, "per_page": size, "last_page": last, "total": len(records)}
    rest = records[(page - 1) * size : page * size]
    labels = [{"url": None, "label": str(n), "active": False} for n in range(last)]
    return Response.json({**numbers, "data": rest, "next_page_url": following, "links": labels})


def _spring(seen: Seen, records: list[Record], url: str) -> Response:
    page, size = number(seen, "page", 0), min(number(seen, "size", 20), 2000)
    last = -(-len(records) // size)
    numbers = {
        "number": page,
        "size": size,
        "totalPages": last,
        "totalElements": len(records),
        "last": page + 1 >= last,
    }
    return Response.json({"content": records[page * size : (page + 1) * size], **numbers, "first": page == 0})


def _gitlab(seen: Seen, records: list[Record], url: str) -> Response:
    """A version without the header Link."""
    page, size = number(seen, "page", 1), min(number(seen, "per_page", 20), 100)
    following = str(page + 1) if page * size < len(records) else ""
    headers = {"X_Total": str(len(records)), "X_Next_Page": following, "X_Per_Page": str(size), "X_Page": str(page)}
    return Response.json(records[(page - 1) * size : page * size], 200, **headers)


def _elasticsearch(seen: Seen, records: list[Record], url: str) -> Response:
    body = json.loads(seen.body) or {}
    start, size = body.get("from", 0), body.get("size", 10)
    total = {"value": len(records), "relation": "eq"}
    hits = {"total": total, "max_score": None, "hits": records[start : start + size]}
    return Response.json({"took": 1, "timed_out": False, "hits": hits})


def _reddit(seen: Seen, records: list[Record], url: str) -> Response:
    names = [record["data"]["name"] for record in records]
    start = names.index(seen.params["after"]) + 1 if "after" in seen.params else 0
    size = min(number(seen, "limit", 25), 100)
    after = names[start + size - 1] if start + size < len(names) else None
    return Response.json(
        {"kind": "Listing", "data": {"after": after, "before": None, "children": records[start : start + size]}}
    )


def _ckan(seen: Seen, records: list[Record], url: str) -> Response:
    start, size = number(seen, "start", 0), min(number(seen, "rows", 10), 1000)
    result = {"count": len(records), "sort": "score desc", "facets": {}, "results": records[start : start + size]}
    return Response.json({"help": f"{url}/help?name=package_search", "success": True, "result": result})


def _socrata(seen: Seen, records: list[Record], url: str) -> Response:
    start, size = number(seen, "$offset", 0), number(seen, "$limit", 1000)
    if set(seen.params) - {"$offset", "$limit"}:
        return wrong("Unrecognized arguments")
    return Response.json(records[start : start + min(size, 50)])


def _cursor_pages(seen: Seen, records: list[Record], url: str) -> Response:
    start, size = int(seen.params.get("cursor", "c0")[1:]), min(number(seen, "limit", 40), 40)
    following = f"c{start + size}" if start + size < len(records) else None
    meta = {"cursors": {"next": following, "prev": None}, "limit": size}
    return Response.json({"pagination": meta, "data": records[start : start + size]})


def _since(seen: Seen, records: list[Record], url: str) -> Response:
    size, since = min(number(seen, "limit", 50), 50), number(seen, "since_id", 0)
    rest = [record for record in records if record["id"] > since][:size]
    return Response.json({"products": rest})


APIS = (
    SmallApi("django", "/api/rows/", ROWS, _django, "rows", method="response.url"),
    SmallApi("laravel", "/api/rows", ROWS, _laravel, "rows", method="response.url"),
    SmallApi("spring", "/rows", ROWS, _spring, "rows", method="pagenum"),
    SmallApi("gitlab", "/api/v4/rows", ROWS, _gitlab, "rows", method="response.param"),
    SmallApi(
        "elasticsearch", "/i/_search", HITS, _elasticsearch, "hits", options="--json '{\"from\": 0}'", method="offset"
    ),
    SmallApi("reddit", "/r/python/new.json", LINKS, _reddit, "children", method="response.param"),
    SmallApi("ckan", "/api/3/action/package_search", ROWS, _ckan, "package_search", method="offset"),
    SmallApi("socrata", "/resource/abcd-1234.json", ROWS, _socrata, "records", method="offset"),
    SmallApi("cursors", "/v2/rows", ROWS, _cursor_pages, "rows", method="response.param"),
    SmallApi("since id", "/products.json", ROWS, _since, "products", method="cursor"),
)
