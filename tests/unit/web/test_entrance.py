"""What holds for every response of every service."""

from __future__ import annotations

import re

import pytest

from penstock.app import list_services
from tests.support.files import prepare, to_write
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.web import raw

ROUTES = [(service.id, row.method, row.path) for service in list_services() for row in service.routes]


def check(response: Response) -> None:
    assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("service", sorted({service for service, _, _ in ROUTES}))
def test_every_response_of_every_route_forbids_sniffing(shared: ServicesOnly, service: str) -> None:
    """Without a token, so that most of them are errors; with one, the first route of each method."""
    routes = [(method, re.sub(r"\{[^}]*\}", "1", path)) for name, method, path in ROUTES if name == service]
    for method, path in routes:
        check(shared.service(service, "").send(method, path))
    for method, path in dict(reversed(routes)).items():
        check(shared.service(service).send(method, path))


@pytest.mark.parametrize("path", ["/", "/nothing", "/v2/storage"])
@pytest.mark.parametrize("host", ["127.0.0.1", "evil.example", "192.0.2.7", "nothing.penstock.localhost", ".."])
def test_no_response_of_any_host_is_sniffed(shared: ServicesOnly, host: str, path: str) -> None:
    check(shared.by_host(host).get(path))


def test_responses_of_other_kinds_are_not_sniffed(shared: ServicesOnly) -> None:
    wish = {"Origin": "https://pages.example", "Access-Control-Request-Method": "DELETE"}
    storage = shared.service("storage")

    check(storage.send("OPTIONS", "/v2/storage/tokens/5", headers=wish))
    check(storage.send("PATCH", "/v2/storage/tokens"))
    check(storage.send("HEAD", "/v2/storage"))
    check(shared.service("sample").send("GET", "/customers", headers={"Accept-Encoding": "gzip"}))
    check(raw.ask(shared.port, b"nonsense\r\n\r\n"))


def test_a_stored_file_is_not_sniffed(shared: ServicesOnly) -> None:
    """Its response is a stream, made by the handler itself."""
    storage = shared.service("storage")
    place = to_write(prepare(storage))
    check(place.put("page.html", b"<script></script>"))

    check(place.get("page.html"))
    check(place.get("nothing"))
