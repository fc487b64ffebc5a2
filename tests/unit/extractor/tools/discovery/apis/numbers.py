"""APIs that are asked with an offset or the number of a page."""

from __future__ import annotations

from tests.support.api import Response, Seen
from tests.unit.extractor.tools.discovery.apis.small_api import Record, SmallApi, basic, number, wrong

ISSUES: list[Record] = [
    {
        "id": str(10_000 + n),
        "key": f"PROJ-{n}",
        "fields": {"summary": f"Bug {n}", "updated": "2024-01-01T10:00:00.000+0000"},
    }
    for n in range(260)
]
INVOICES: list[Record] = [
    {
        "InvoiceID": f"243216c5-{n:04}",
        "InvoiceNumber": f"INV-{n}",
        "UpdatedDateUTC": "/Date(1518685950940+0000)/",
        "Total": n,
    }
    for n in range(300)
]
PEOPLE: list[Record] = [
    {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "id": f"scim-{n}", "userName": f"u{n}", "active": True}
    for n in range(215)
]
MEMBERS: list[Record] = [
    {"id": f"{n:032x}", "email_address": f"m{n}@example.com", "last_changed": "2024-01-01T00:00:00+00:00", "_links": []}
    for n in range(243)
]
INCIDENTS: list[Record] = [
    {
        "id": f"PT4KH{n}",
        "title": f"Incident {n}",
        "status": "resolved",
        "assignments": [{"at": f"2024-01-{n % 28 + 1:02}"}],
    }
    for n in range(225)
]
TOPICS: list[Record] = [
    {"id": 700 - n, "title": f"Topic {n}", "posts_count": n, "tags": [f"t{n % 4}"]} for n in range(205)
]
ITEMS: list[Record] = [{"id": n, "name": f"Item {n}", "price": f"{n}.99"} for n in range(1, 241)]


def _jira(seen: Seen, records: list[Record], url: str) -> Response:
    start, size = number(seen, "startAt", 0), min(number(seen, "maxResults", 50), 100)
    page = {"startAt": start, "maxResults": size, "total": len(records), "issues": records[start : start + size]}
    return Response.json({"expand": "schema,names", **page})


def _xero(seen: Seen, records: list[Record], url: str) -> Response:
    page = number(seen, "page", 1)
    rest = records[(page - 1) * 100 : page * 100]
    return Response.json({"Id": f"r{page}", "Status": "OK", "ProviderName": "Penstock", "Invoices": rest})


def _scim(seen: Seen, records: list[Record], url: str) -> Response:
    start, size = max(number(seen, "startIndex", 1), 1), min(number(seen, "count", 20), 100)
    page = records[start - 1 : start - 1 + size]
    numbers = {"totalResults": len(records), "startIndex": start, "itemsPerPage": len(page)}
    return Response.json(
        {"schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"], **numbers, "Resources": page}
    )


def _mailchimp(seen: Seen, records: list[Record], url: str) -> Response:
    start, size = number(seen, "offset", 0), min(number(seen, "count", 10), 1000)
    links = [{"rel": "self", "href": f"{url}{seen.path}", "method": "GET"} for _ in range(12)]
    page = {"members": records[start : start + size], "list_id": "abc", "total_items": len(records), "_links": links}
    return Response.json(page)


def _pagerduty(seen: Seen, records: list[Record], url: str) -> Response:
    start, size = number(seen, "offset", 0), min(number(seen, "limit", 25), 100)
    page = {"limit": size, "offset": start, "total": None, "more": start + size < len(records)}
    return Response.json({"incidents": records[start : start + size], **page})


def _discourse(seen: Seen, records: list[Record], url: str) -> Response:
    """Pages count from 0, and the address of the next page leads to HTML."""
    if not seen.path.endswith(".json"):
        return Response(200, b"<html></html>", {"Content-Type": "text/html"})
    page = number(seen, "page", 0)
    rest = records[page * 30 : (page + 1) * 30]
    more = {"more_topics_url": f"/latest?no_definitions=true&page={page + 1}"} if (page + 1) * 30 < len(records) else {}
    users = [{"id": n, "username": f"u{n}"} for n in range(42)]
    return Response.json({"users": users, "topic_list": {**more, "per_page": 30, "topics": rest}})


def _plain(seen: Seen, records: list[Record], url: str) -> Response:
    """A bare array without any sign of further pages."""
    start, size = number(seen, "offset", 0), min(number(seen, "limit", 20), 100)
    return Response.json(records[start : start + size])


def _failing(seen: Seen, records: list[Record], url: str) -> Response:
    """After the last page it fails, and the last page is full."""
    page, size = number(seen, "page", 1), 20
    if (page - 1) * size >= len(records):
        return wrong("page out of range", 404)
    rest = records[(page - 1) * size : page * size]
    return Response.json({"items": rest, "meta": {"current_page": page, "total": len(records)}})


APIS = (
    SmallApi("jira", "/rest/api/2/search", ISSUES, _jira, "issues", "jql=project+%3D+PROJ", method="offset"),
    SmallApi("xero", "/api.xro/2.0/Invoices", INVOICES, _xero, "Invoices", "page=1", method="pagenum"),
    SmallApi("scim", "/scim/v2/Users", PEOPLE, _scim, "Users", method="offset"),
    SmallApi(
        "mailchimp",
        "/3.0/lists/abc/members",
        MEMBERS,
        _mailchimp,
        "members",
        options="-u anystring:0123456789-us1",
        required=basic("anystring:0123456789-us1"),
        method="offset",
    ),
    SmallApi(
        "pagerduty",
        "/incidents",
        INCIDENTS,
        _pagerduty,
        "incidents",
        options="-H 'Authorization: Token token=y_NbAkKc66ryYTWUXYEu'",
        required={"Authorization": "Token token=y_NbAkKc66ryYTWUXYEu"},
        method="offset",
    ),
    SmallApi("discourse", "/latest.json", TOPICS, _discourse, "topics", method="pagenum"),
    SmallApi("plain offset", "/items", ITEMS, _plain, "items", method="offset"),
    SmallApi("failing end", "/things", ITEMS, _failing, "things", method="pagenum"),
)
