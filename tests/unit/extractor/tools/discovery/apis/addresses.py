"""APIs whose responses hold the address of the next page, in the body or in the header Link."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from tests.support.api import Response, Seen
from tests.unit.extractor.tools.discovery.apis.small_api import Record, SmallApi, basic, missing, number, wrong

ISSUES: list[Record] = [
    {
        "id": 9_000 - n,
        "number": 530 - n,
        "title": f"Issue {n}",
        "user": {"login": f"user{n % 7}", "id": n % 7},
        "labels": [{"name": "bug"}] if n % 3 == 0 else [],
        "updated_at": f"2024-05-{n % 28 + 1:02d}T10:00:00Z",
    }
    for n in range(317)
]
ORDERS: list[Record] = [
    {"id": 450_789_469 + n, "email": f"bob{n}@example.com", "total_price": f"{n}.50", "line_items": [{"sku": f"S{n}"}]}
    for n in range(312)
]
TICKETS: list[Record] = [
    {"id": n, "subject": f"Ticket {n}", "status": "open", "updated_at": "2024-01-02T03:04:05Z", "tags": ["a", f"t{n}"]}
    for n in range(1, 261)
]
ACCOUNTS: list[Record] = [
    {
        "attributes": {"type": "Account", "url": f"/sobjects/Account/001{n:04}"},
        "Id": f"001{n:04}",
        "Name": f"Account {n}",
    }
    for n in range(530)
]
USERS: list[Record] = [
    {"id": f"u-{n:04}", "displayName": f"User {n}", "mail": None, "businessPhones": [f"+1 {n}"]} for n in range(233)
]
CUSTOMERS: list[Record] = [{"CustomerID": f"C{n:03}", "CompanyName": f"Company {n}"} for n in range(91)]
ARTICLES: list[Record] = [
    {"type": "articles", "id": str(n), "attributes": {"title": f"Article {n}", "updatedAt": "2024-03-01T00:00:00Z"}}
    for n in range(1, 208)
]
MESSAGES: list[Record] = [
    {
        "sid": f"SM{n:032}",
        "body": f"Message {n}",
        "status": "delivered",
        "date_updated": "Fri, 24 May 2024 17:18:28 +0000",
    }
    for n in range(265)
]
TASKS: list[Record] = [{"gid": str(12_000 + n), "name": f"Task {n}", "resource_type": "task"} for n in range(203)]
POSTS: list[Record] = [
    {
        "id": 900 - n,
        "date": "2024-01-01T00:00:00",
        "modified": "2024-02-01T00:00:00",
        "title": {"rendered": f"Post {n}"},
    }
    for n in range(240)
]


def _github(seen: Seen, records: list[Record], url: str) -> Response:
    page, size = number(seen, "page", 1), min(number(seen, "per_page", 30), 100)
    rest = records[(page - 1) * size : page * size]
    query = {**seen.params, "page": page + 1}
    link = f'<{url}{seen.path}?{urlencode(query)}>; rel="next"' if page * size < len(records) else ""
    return Response.json(rest, 200, **({"Link": link} if link else {}))


def _shopify(seen: Seen, records: list[Record], url: str) -> Response:
    size = min(number(seen, "limit", 50), 250)
    start = int(seen.params.get("page_info", "p0")[1:])
    if "page_info" in seen.params and set(seen.params) - {"page_info", "limit"}:
        return wrong("page_info allows no other parameters")
    following = f'<{url}{seen.path}?limit={size}&page_info=p{start + size}>; rel="next"'
    headers = {"Link": following} if start + size < len(records) else {}
    return Response.json({"orders": records[start : start + size]}, 200, **headers)


def _zendesk(seen: Seen, records: list[Record], url: str) -> Response:
    page, size = number(seen, "page", 1), min(number(seen, "per_page", 100), 100)
    rest = records[(page - 1) * size : page * size]
    following = f"{url}{seen.path}?page={page + 1}&per_page={size}" if page * size < len(records) else None
    return Response.json({"tickets": rest, "next_page": following, "previous_page": None, "count": len(records)})


def _zendesk_cursor(seen: Seen, records: list[Record], url: str) -> Response:
    """`links.next` is there on the last page, too."""
    size, start = min(number(seen, "page[size]", 100), 100), number(seen, "page[after]", 0)
    rest = records[start : start + size]
    following = f"{url}{seen.path}?{urlencode({'page[after]': start + len(rest), 'page[size]': size})}"
    has_more = start + size < len(records)
    meta = {"has_more": has_more, "after_cursor": f"x{start + size}", "before_cursor": f"b{start}"}
    return Response.json({"tickets": rest, "meta": meta, "links": {"prev": None, "next": following}})


def _salesforce(seen: Seen, records: list[Record], url: str) -> Response:
    start = int(seen.path.rpartition("-")[2]) if "-" in seen.path.rpartition("/")[2] else 0
    if start == 0 and "q" not in seen.params:
        return wrong("MALFORMED_QUERY")
    rest, is_done = records[start : start + 200], start + 200 >= len(records)
    following = {} if is_done else {"nextRecordsUrl": f"/services/data/v59.0/query/01gRM-{start + 200}"}
    return Response.json({"totalSize": len(records), "done": is_done, **following, "records": rest})


def _graph(seen: Seen, records: list[Record], url: str) -> Response:
    size, start = min(number(seen, "$top", 100), 999), int(seen.params.get("$skiptoken", "X0")[1:])
    following = f"{url}{seen.path}?{urlencode({'$top': size, '$skiptoken': f'X{start + size}'})}"
    more = {"@odata.nextLink": following} if start + size < len(records) else {}
    context = {"@odata.context": f"{url}/v1.0/$metadata#users"}
    return Response.json({**context, **more, "value": records[start : start + size]})


def _odata(seen: Seen, records: list[Record], url: str) -> Response:
    """The address is relative to the root of the service."""
    start = number(seen, "$skip", 0)
    more = {"@odata.nextLink": f"Customers?$skip={start + 20}"} if start + 20 < len(records) else {}
    return Response.json({"@odata.context": "$metadata#Customers", "value": records[start : start + 20], **more})


def _json_api(seen: Seen, records: list[Record], url: str) -> Response:
    page, size = number(seen, "page[number]", 1), min(number(seen, "page[size]", 25), 50)
    rest = records[(page - 1) * size : page * size]

    def link(to: int) -> str:
        return f"{url}{seen.path}?{urlencode({'page[number]': to, 'page[size]': size})}"

    last = -(-len(records) // size)
    links = {"self": link(page), "first": link(1), "last": link(last), "next": link(page + 1) if page < last else None}
    people = [{"type": "people", "id": str(n), "attributes": {"name": f"P{n}"}} for n in range(60)]
    return Response.json({"data": rest, "included": people, "links": links, "meta": {"total": len(records)}})


def _twilio(seen: Seen, records: list[Record], url: str) -> Response:
    page, size = number(seen, "Page", 0), min(number(seen, "PageSize", 50), 1000)
    if page and "PageToken" not in seen.params:
        return wrong("Page must come with PageToken")
    rest = records[page * size : (page + 1) * size]
    query = urlencode({"PageSize": size, "Page": page + 1, "PageToken": f"PA{page + 1}"})
    following = f"{seen.path}?{query}" if (page + 1) * size < len(records) else None
    more: dict[str, Any] = {"page": page, "page_size": size, "start": page * size, "end": page * size + len(rest) - 1}
    return Response.json({"messages": rest, "next_page_uri": following, "previous_page_uri": None, **more})


def _asana(seen: Seen, records: list[Record], url: str) -> Response:
    """`path` leaves out the root of the API, so it leads nowhere."""
    if seen.path != "/api/1.0/tasks":
        return missing()
    size, start = min(number(seen, "limit", 100), 100), int(seen.params.get("offset", "eyJ0")[4:] or 0)
    token, rest = f"eyJ0{start + size}", records[start : start + size]
    query = urlencode({**seen.params, "limit": size, "offset": token})
    following = {"offset": token, "path": f"/tasks?{query}", "uri": f"{url}{seen.path}?{query}"}
    return Response.json({"data": rest, "next_page": following if start + size < len(records) else None})


def _wordpress(seen: Seen, records: list[Record], url: str) -> Response:
    page, size = number(seen, "page", 1), number(seen, "per_page", 10)
    last = -(-len(records) // size)
    if size > 100 or page > last:
        return wrong("rest_post_invalid_page_number")
    link = f'<{url}{seen.path}?{urlencode({**seen.params, "page": page + 1})}>; rel="next"'
    headers = {"X_WP_Total": str(len(records)), "X_WP_TotalPages": str(last), **({"Link": link} if page < last else {})}
    return Response.json(records[(page - 1) * size : page * size], 200, **headers)


APIS = (
    SmallApi(
        "github",
        "/repos/octo/hello/issues",
        ISSUES,
        _github,
        "issues",
        options="-H 'Authorization: Bearer ghp_1234567890' -H 'Accept: application/vnd.github+json'",
        required={"Authorization": "Bearer ghp_1234567890"},
        method="link",
    ),
    SmallApi(
        "shopify",
        "/admin/api/2024-10/orders.json",
        ORDERS,
        _shopify,
        "orders",
        query="status=any",
        options="-H 'X-Shopify-Access-Token: shpat_abcdef'",
        required={"X-Shopify-Access-Token": "shpat_abcdef"},
        method="link",
    ),
    SmallApi("zendesk", "/api/v2/tickets.json", TICKETS, _zendesk, "tickets", method="response.url"),
    SmallApi(
        "zendesk cursor", "/api/v2/tickets", TICKETS, _zendesk_cursor, "tickets", "page[size]=50", method="response.url"
    ),
    SmallApi(
        "salesforce",
        "/services/data/v59.0/query",
        ACCOUNTS,
        _salesforce,
        "records",
        query="q=SELECT+Id,+Name+FROM+Account",
        options="-H 'Authorization: Bearer 00Dxx'",
        required={"Authorization": "Bearer 00Dxx"},
        method="response.url",
    ),
    SmallApi("microsoft graph", "/v1.0/users", USERS, _graph, "users", method="response.url"),
    SmallApi("odata", "/V4/Northwind.svc/Customers", CUSTOMERS, _odata, "Customers", method="response.url"),
    SmallApi("json:api", "/articles", ARTICLES, _json_api, "articles", method="response.url"),
    SmallApi(
        "twilio",
        "/2010-04-01/Accounts/AC1/Messages.json",
        MESSAGES,
        _twilio,
        "messages",
        options="-u AC1:secret99",
        required=basic("AC1:secret99"),
        method="response.url",
    ),
    SmallApi("asana", "/api/1.0/tasks", TASKS, _asana, "tasks", "project=12&limit=50", method="response.url"),
    SmallApi("wordpress", "/wp-json/wp/v2/posts", POSTS, _wordpress, "posts", method="link"),
)
