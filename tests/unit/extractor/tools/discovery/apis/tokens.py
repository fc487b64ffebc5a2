"""APIs whose responses hold a token for the next request, or whose next request names the last record."""

from __future__ import annotations

from tests.support.api import Response, Seen
from tests.unit.extractor.tools.discovery.apis.small_api import Record, SmallApi, basic, number, wrong

STRIPE_CUSTOMERS: list[Record] = [
    {
        "id": f"cus_{n:014x}",
        "object": "customer",
        "created": 1_700_000_000 - n,
        "email": f"c{n}@example.com",
        "metadata": {},
    }
    for n in range(230)
]
CONTACTS: list[Record] = [
    {
        "id": str(51 + n),
        "properties": {"email": f"c{n}@example.com", "lastmodifieddate": "2024-03-03T00:00:00Z"},
        "createdAt": "2024-01-01T00:00:00.000Z",
        "updatedAt": "2024-03-03T00:00:00.000Z",
        "archived": False,
    }
    for n in range(245)
]
EVENTS: list[Record] = [
    {"kind": "calendar#event", "id": f"ev{n}", "updated": "2024-06-01T00:00:00.000Z", "summary": f"Event {n}"}
    for n in range(520)
]
RECORDS: list[Record] = [
    {"id": f"rec{n:05}", "createdTime": "2024-01-01T00:00:00.000Z", "fields": {"Name": f"Row {n}"}} for n in range(250)
]
MEMBERS: list[Record] = [
    {"id": f"U{n:05}", "team_id": "T1", "name": f"user{n}", "updated": 1_700_000_000 + n, "profile": {"title": f"t{n}"}}
    for n in range(310)
]
INTERCOM: list[Record] = [
    {"type": "contact", "id": f"6{n:05}", "email": f"i{n}@example.com", "updated_at": 1_700_000_000 + n}
    for n in range(255)
]
STATUSES: list[Record] = [{"id": 110_000 + n, "content": f"Status {n}"} for n in range(130, 0, -1)]


def _stripe(seen: Seen, records: list[Record], url: str) -> Response:
    size, after = number(seen, "limit", 10), seen.params.get("starting_after")
    unknown = set(seen.params) - {"limit", "starting_after", "ending_before"}
    ids = [record["id"] for record in records]
    if size > 100 or unknown or (after and after not in ids):
        return wrong(f"Received unknown parameter: {unknown}")
    start = ids.index(after) + 1 if after else 0
    page = {"data": records[start : start + size], "has_more": start + size < len(records), "url": seen.path}
    return Response.json({"object": "list", **page})


def _hubspot(seen: Seen, records: list[Record], url: str) -> Response:
    size, start = number(seen, "limit", 10), number(seen, "after", 0)
    if size > 100:
        return wrong("limit may not be above 100")
    link = f"{url}{seen.path}?limit={size}&after={start + size}"
    paging = {"paging": {"next": {"after": str(start + size), "link": link}}} if start + size < len(records) else {}
    return Response.json({"results": records[start : start + size], **paging})


def _google(seen: Seen, records: list[Record], url: str) -> Response:
    if seen.params.get("key") != "AIza-123456":
        return wrong("API key not valid", 403)
    size, start = min(number(seen, "maxResults", 250), 2500), int(seen.params.get("pageToken", "EAAaB0")[5:] or 0)
    more = {"nextPageToken": f"EAAaB{start + size}"} if start + size < len(records) else {}
    return Response.json({"kind": "calendar#events", "etag": '"p33"', **more, "items": records[start : start + size]})


def _airtable(seen: Seen, records: list[Record], url: str) -> Response:
    size, start = min(number(seen, "pageSize", 100), 100), int(seen.params.get("offset", "itr/0").rpartition("/")[2])
    more = {"offset": f"itrABC/{start + size}"} if start + size < len(records) else {}
    return Response.json({"records": records[start : start + size], **more})


def _slack(seen: Seen, records: list[Record], url: str) -> Response:
    size, start = min(number(seen, "limit", 100), 1000), int(seen.params.get("cursor", "dXNl0")[4:].rstrip("=") or 0)
    following = f"dXNl{start + size}=" if start + size < len(records) else ""
    page = {"members": records[start : start + size], "cache_ts": 1_700_000_000}
    return Response.json({"ok": True, **page, "response_metadata": {"next_cursor": following}})


def _intercom(seen: Seen, records: list[Record], url: str) -> Response:
    size, start = number(seen, "per_page", 50), int(seen.params.get("starting_after", "Wz0")[2:] or 0)
    if size > 150:
        return wrong("per_page is too big")
    following = (
        {"page": start // size + 2, "starting_after": f"Wz{start + size}"} if start + size < len(records) else None
    )
    pages = {"type": "pages", "page": start // size + 1, "per_page": size, "total_pages": -(-len(records) // size)}
    rest = {"data": records[start : start + size], "total_count": len(records)}
    return Response.json({"type": "list", **rest, "pages": {**pages, **({"next": following} if following else {})}})


def _statuses(seen: Seen, records: list[Record], url: str) -> Response:
    """The newest first; `max_id` is exclusive, and nothing in the response says that there is more."""
    size, below = min(number(seen, "limit", 20), 40), number(seen, "max_id", 10**9)
    return Response.json([record for record in records if record["id"] < below][:size])


APIS = (
    SmallApi(
        "stripe",
        "/v1/customers",
        STRIPE_CUSTOMERS,
        _stripe,
        "customers",
        options="-u sk_test_4eC39HqLyjWD:",
        required=basic("sk_test_4eC39HqLyjWD:"),
        method="response.param",
    ),
    SmallApi("hubspot", "/crm/v3/objects/contacts", CONTACTS, _hubspot, "contacts", method="response.url"),
    SmallApi(
        "google",
        "/calendar/v3/calendars/a/events",
        EVENTS,
        _google,
        "events",
        "key=AIza-123456",
        method="response.param",
    ),
    SmallApi("airtable", "/v0/appX/Projects", RECORDS, _airtable, "Projects", method="response.param"),
    SmallApi(
        "slack",
        "/api/users.list",
        MEMBERS,
        _slack,
        "members",
        options="-H 'Authorization: Bearer xoxb-1234'",
        required={"Authorization": "Bearer xoxb-1234"},
        method="response.param",
    ),
    SmallApi("intercom", "/contacts", INTERCOM, _intercom, "contacts", method="response.param"),
    SmallApi("statuses", "/api/v1/timelines/public", STATUSES, _statuses, "public", method="cursor"),
)
