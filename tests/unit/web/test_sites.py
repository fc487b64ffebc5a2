"""Pages of other sites: what their requests without a token get from a stack that only this machine reaches."""

from __future__ import annotations

import pytest

from penstock.app import list_services
from penstock.foundation.callers import Right
from penstock.web.routing import Route
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.web.test_hosts import Start, start

__all__ = ["start"]

EVIL = "https://evil.example"
FETCH = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty", "Origin": EVIL}
IMAGE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
FRAME = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
FORM = {**LINK, "Origin": EVIL}
IN_ADVANCE = {**LINK, "Sec-Purpose": "prefetch"}
OLD_BROWSER = {"Origin": EVIL}
SANDBOXED = {**FETCH, "Origin": "null"}
ATTACKS = [FETCH, IMAGE, FRAME, IN_ADVANCE, OLD_BROWSER, SANDBOXED, {"Origin": "http://["}]


def send(services: ServicesOnly, service_id: str, method: str, path: str, headers: dict[str, str]) -> Response:
    base = f"http://127.0.0.1:{services.port}/_svc/{service_id}"
    return Http(base).send(method, path, b"" if method != "GET" else None, headers)


def path_of(route: Route) -> str:
    return route.template.replace("{", "x").replace("}", "")


def is_refused(response: Response) -> bool:
    return response.status == 403 and f"sent by a page of {EVIL}" in response.text


def test_no_public_row_that_costs_something_is_for_pages_of_other_sites(shared: ServicesOnly) -> None:
    answered = [
        f"{service.id} {route.method} {route.path}"
        for service in list_services()
        for route in service.routes
        if route.needs is Right.PUBLIC and not (route.document or route.is_signed)
        if not is_refused(send(shared, service.id, route.method, path_of(route), FETCH))
    ]

    assert answered == ["oauth POST /authorize/{component_id}"]


@pytest.mark.parametrize("headers", ATTACKS)
def test_however_a_page_sends_it_the_request_is_refused(shared: ServicesOnly, headers: dict[str, str]) -> None:
    response = send(shared, "sample", "GET", "/customers", headers)

    assert (response.status, response.json["code"]) == (403, "crossSiteRequest")
    assert "`allowed_origins`" in response.json["error"]


def test_a_form_of_another_site_is_not_a_link(shared: ServicesOnly) -> None:
    assert send(shared, "encryption", "POST", "/encrypt", FORM).status == 403


@pytest.mark.parametrize(
    ("service_id", "path"),
    [("portal", "/"), ("console", "/admin"), ("management", "/v1/auth/page/sign-in"), ("sample", "/customers")],
)
def test_a_link_on_another_site_opens_a_page(shared: ServicesOnly, service_id: str, path: str) -> None:
    assert send(shared, service_id, "GET", path, {**LINK, "Accept": "text/html"}).status == 200


def test_the_way_back_from_a_provider_and_the_form_before_it_are_not_refused(shared: ServicesOnly) -> None:
    back = send(shared, "oauth", "GET", "/authorize/ex-generic-v2/callback?state=s&code=c", LINK)
    sso = send(shared, "management", "GET", "/v1/auth/page/sso/callback?state=s&code=c", LINK)
    form = {**FORM, "Content-Type": "application/x-www-form-urlencoded"}
    sent = send(shared, "oauth", "POST", "/authorize/ex-generic-v2", form)

    assert not any("of another site" in each.text or EVIL in each.text for each in (back, sso, sent))


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:3000"},
        {"Sec-Fetch-Site": "none"},
        {**FETCH, "Origin": "http://connection.penstock.localhost:8300"},
        {**FETCH, "Origin": "http://localhost:6274"},
        {**FETCH, "Origin": "http://[::1]:8300"},
        {"Origin": "https://penstock.localhost"},
    ],
)
def test_pages_of_this_machine_and_programs_are_not_limited(shared: ServicesOnly, headers: dict[str, str]) -> None:
    assert send(shared, "sample", "GET", "/customers", headers).status == 200


@pytest.mark.parametrize("path", ["/v2/storage", "/v2/storage/components/ex-generic-v2"])
def test_documents_are_for_everybody(shared: ServicesOnly, path: str) -> None:
    response = send(shared, "storage", "GET", path, FETCH)

    assert (response.status, response.headers["access-control-allow-origin"]) == (200, "*")


def test_a_page_with_a_token_is_a_client_and_one_with_an_invented_token_is_not(shared: ServicesOnly) -> None:
    query, secret = "/encrypt?componentId=ex-generic-v2&projectId=1", {"#password": "secret"}
    url = f"http://127.0.0.1:{shared.port}/_svc/encryption"
    official = Http(url, shared.project.token, headers=FETCH).post(query, secret)
    invented = Http(url, "1-2-invented", headers=FETCH).post(query, secret)

    assert official.status == 200, official.text
    assert (invented.status, invented.json["error"].startswith("This request was sent by a page of")) == (403, True)
    assert (
        Http(f"http://127.0.0.1:{shared.port}/_svc/storage", shared.project.token, headers=FETCH)
        .get("/v2/storage/buckets")
        .status
        == 200
    )


def test_a_signed_address_works_on_every_page(shared: ServicesOnly) -> None:
    """What it has instead of a token is checked."""
    blob = send(shared, "storage", "GET", "/penstock.blob.core.windows.net/none/none", FETCH)

    assert (blob.status, "crossSiteRequest" in blob.text) == (403, False)


def test_an_allowed_origin_may_send_what_needs_no_token(start: Start) -> None:
    services = start(allowed_origins=["https://tools.example/"])

    for origin, status in (("https://tools.example", 200), ("http://tools.example", 403), (f"{EVIL}", 403)):
        assert send(services, "sample", "GET", "/customers", {**FETCH, "Origin": origin}).status == status


@pytest.mark.parametrize(
    ("settings", "host", "status"),
    [
        ({"public_url": "https://data.example.com"}, "data.example.com", 200),
        ({"public_url": "https://data.example.com"}, "127.0.0.1", 403),
        ({"domain": "local.example"}, "sample.local.example", 403),
        ({"host": "0.0.0.0"}, "127.0.0.1", 200),
        ({"host": "127.0.0.1"}, "127.0.0.1", 403),
    ],
)
def test_only_what_others_cannot_reach_by_themselves_is_limited(
    start: Start, settings: dict[str, str], host: str, status: int
) -> None:
    path = "/customers" if host.startswith("sample.") else "/_svc/sample/customers"

    assert Http(f"http://127.0.0.1:{start(**settings).port}", host=host).get(path, headers=FETCH).status == status
