"""Which service answers, and where it says that the others are: in the form in which the request came."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.support.http import Http, Response
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly
from tests.unit.web import raw

INDEX = "/v2/storage?exclude=components"

Start = Callable[..., ServicesOnly]


@pytest.fixture
def start(new_data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Start]:
    """Starts services with settings; they end with the test."""
    # Whom to trust is for the stack to say: a test's server must not believe anybody on its own.
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.99")
    started: list[ServicesOnly] = []

    def begin(**settings: Any) -> ServicesOnly:
        folder = tmp_path / f"data-{len(started)}"
        shutil.copytree(new_data_folder, folder)
        started.append(ServicesOnly(folder, **settings))
        return started[-1]

    yield begin
    for services in started:
        services.close()


def queue_url(response: Response) -> str:
    assert response.status == 200, response.text
    return next(service["url"] for service in response.json["services"] if service["id"] == "queue")


@pytest.mark.parametrize(
    ("label", "path", "field"),
    [("connection", INDEX, "api"), ("storage", INDEX, "api"), ("queue", "/", "api"), ("api", "/apis.json", "stack")],
)
def test_a_service_answers_by_host(shared: ServicesOnly, label: str, path: str, field: str) -> None:
    assert field in shared.by_host(f"{label}.penstock.localhost").get(path).json


@pytest.mark.parametrize(
    ("name", "path", "field"),
    [
        ("storage", INDEX, "api"),
        ("connection", INDEX, "api"),
        ("queue", "/", "api"),
        ("portal", "/apis.json", "stack"),
        ("api", "/apis.json", "stack"),
        ("sample", "/customers", "customers"),
    ],
)
def test_a_service_answers_by_path(shared: ServicesOnly, name: str, path: str, field: str) -> None:
    assert field in shared.service(name).get(path).json


@pytest.mark.parametrize("name", ["storage", "queue", "portal", "sample"])
def test_the_address_of_a_service_answers_with_and_without_a_slash(shared: ServicesOnly, name: str) -> None:
    service = shared.service(name)

    assert service.get("").status == service.get("/").status == 200


def test_the_index_answers_by_host_to_a_request_by_host(shared: ServicesOnly) -> None:
    host = f"connection.penstock.localhost:{shared.port}"

    assert queue_url(shared.by_host(host).get(INDEX)) == f"http://queue.penstock.localhost:{shared.port}"


def test_the_index_answers_by_path_to_a_request_by_path(shared: ServicesOnly) -> None:
    assert queue_url(shared.service("storage").get(INDEX)) == f"http://127.0.0.1:{shared.port}/_svc/queue"


def test_an_ipv6_literal_is_an_address(shared: ServicesOnly) -> None:
    response = raw.get(shared.port, f"[::1]:{shared.port}".encode())

    assert queue_url(response) == f"http://[::1]:{shared.port}/_svc/queue"


def test_the_stack_listens_on_ipv6_too(shared: ServicesOnly) -> None:
    response = Http(f"http://[::1]:{shared.port}/_svc/storage").get(INDEX)

    assert queue_url(response) == f"http://[::1]:{shared.port}/_svc/queue"


@pytest.mark.parametrize("host", ["localhost", "penstock.localhost", "127.0.0.1", "[::1]"])
def test_the_bare_address_shows_the_portal(shared: ServicesOnly, host: str) -> None:
    response = shared.by_host(host).get("/")

    assert response.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    "host", ["192.0.2.7", "10.0.0.5", "127.0.0.2", "0.0.0.0", "[::]", "[2001:db8::1]", "2130706433"]
)
@pytest.mark.parametrize("path", ["/", f"/_svc/storage{INDEX}"])
def test_an_address_that_the_stack_does_not_listen_on_is_refused(shared: ServicesOnly, host: str, path: str) -> None:
    response = shared.by_host(f"{host}:8300").get(path)

    assert response.status == 404
    assert f'does not answer at "{host}"' in response.json["error"]
    assert "`domain`" in response.json["error"]
    assert "`public_url`" in response.json["error"]


def test_every_address_of_the_machine_is_answered_where_the_stack_listens_on_all(start: Start) -> None:
    services = start(host="0.0.0.0")

    assert services.by_host("127.0.0.2").get("/").status == 200
    assert services.by_host("192.0.2.7").get("/").status == 404


@pytest.mark.parametrize("url", ["http://203.0.113.5:8300", "http://[2001:db8::5]:8300"])
def test_an_address_in_front_of_the_machine_is_answered_if_it_is_the_public_one(start: Start, url: str) -> None:
    services = start(public_url=url)

    assert queue_url(services.by_host(url.removeprefix("http://")).get(f"/_svc/storage{INDEX}")) == f"{url}/_svc/queue"


@pytest.mark.parametrize("host", ["CONNECTION.Penstock.LocalHost", "connection.penstock.localhost."])
def test_case_and_a_trailing_dot_do_not_matter(shared: ServicesOnly, host: str) -> None:
    assert queue_url(shared.by_host(host).get(INDEX)) == "http://queue.penstock.localhost"


def test_a_domain_may_be_written_in_capitals(start: Start) -> None:
    services = start(domain="Data.Example")

    assert services.by_host("connection.data.example").get(INDEX).status == 200


@pytest.mark.parametrize("label", ["stream", "templates", "nonsense", "a.b", "-", "queue.connection"])
def test_a_service_that_is_not_there_is_not_found(shared: ServicesOnly, label: str) -> None:
    response = shared.by_host(f"{label}.penstock.localhost").get("/")

    assert (response.status, response.headers["content-type"]) == (404, "application/json")
    assert response.json["error"] == f'No service of this stack answers at "{label}.penstock.localhost".'
    assert response.json["code"] == 404


@pytest.mark.parametrize(
    ("host", "code"),
    [("connection.evil.example", "notFound"), ("queue.evil.example", 404), ("evil.example", 404), ("127.0.0.1", 404)],
)
def test_the_code_is_a_word_where_clients_of_storage_ask_and_a_number_elsewhere(
    shared: ServicesOnly, host: str, code: object
) -> None:
    assert shared.by_host(host).get("/v2/storage").json["code"] == code


@pytest.mark.parametrize("name", ["vault", "", "..", "%2e%2e", "%2fqueue", "/queue"])
def test_a_path_of_no_service_is_not_found(shared: ServicesOnly, name: str) -> None:
    response = shared.by_host("127.0.0.1").get(f"/_svc/{name}/jobs")

    assert (response.status, response.headers["content-type"]) == (404, "application/json")


@pytest.mark.parametrize("path", ["/v2/storage", "/jobs", "/_svc", "/_SVC/queue/", "//"])
def test_only_the_portal_is_on_the_bare_address(shared: ServicesOnly, path: str) -> None:
    assert shared.by_host("127.0.0.1").get(path).status == 404


FOREIGN = [
    "evil.example",
    "connection.evil.example",
    "penstock.localhost.evil.example",
    "evilpenstock.localhost",
    "connection-penstock.localhost",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    ".penstock.localhost",
    "..",
    ".",
]


@pytest.mark.parametrize("host", FOREIGN)
@pytest.mark.parametrize("path", ["/", INDEX, f"/_svc/storage{INDEX}"])
def test_a_foreign_host_reaches_nothing(shared: ServicesOnly, host: str, path: str) -> None:
    """A page of another site, whose name was made to resolve here, must not read this stack."""
    response = shared.by_host(host).get(path)

    assert (response.status, response.headers["content-type"]) == (404, "application/json")
    assert "_svc" not in response.text


CROOKED = [
    b"127.0.0.1/evil",
    b"127.0.0.1?evil",
    b"127.0.0.1#evil",
    b"evil@127.0.0.1",
    b"127.0.0.1 evil",
    b"127.0.0.1\tevil",
    b"127.0.0.1\x7f",
    b"127.0.0.1\xff",
    b"127.0.0.1%00",
    b"127.0.0.1:80.evil.example",
    b"127.0.0.1:evil",
    b"127.0.0.1:",
    b"127.0.0.1:123456",
    b"127.0.0.1:80:80",
    b"[::1].evil.example",
    b"[::1]evil",
    b"[::1",
    b"::1",
    b"[]",
    b"127.0.0.1]",
    b"connection.penstock.localhost:80.evil.example",
    b'"><script>.penstock.localhost',
    b"connection.penstock.localhost\\evil",
    b"",
]


@pytest.mark.parametrize("host", CROOKED)
@pytest.mark.parametrize("path", [b"/_svc/storage/v2/storage", b"/v2/storage"])
def test_a_crooked_host_is_nobodys_and_is_not_repeated(shared: ServicesOnly, host: bytes, path: bytes) -> None:
    response = raw.get(shared.port, host, path)

    assert response.status in (400, 404)
    assert b"evil" not in response.body


@pytest.mark.parametrize("character", [0, 8, 10, 11, 13, 27])
def test_a_control_character_in_the_host_is_refused(shared: ServicesOnly, character: int) -> None:
    response = raw.get(shared.port, b"127.0.0.1" + bytes([character]) + b"x")

    assert response.status in (400, 404)


def test_a_request_without_a_host_is_refused(shared: ServicesOnly) -> None:
    response = raw.ask(shared.port, b"GET /_svc/storage/v2/storage HTTP/1.0\r\n\r\n")

    assert response.status == 404


FORWARDED = b"X-Forwarded-Proto: https\r\nX-Forwarded-Host: connection.penstock.localhost\r\n"


def test_forwarded_headers_are_believed_from_a_trusted_proxy(start: Start) -> None:
    services = start(trusted_proxies=["127.0.0.1"])
    response = raw.get(services.port, b"10.0.0.5:8300", b"/v2/storage", FORWARDED)

    assert queue_url(response) == "https://queue.penstock.localhost"


def test_the_first_of_several_forwarded_values_counts(start: Start) -> None:
    services = start(trusted_proxies=["127.0.0.1"])
    several = b"X-Forwarded-Proto: https, http\r\nX-Forwarded-Host: connection.penstock.localhost, inner\r\n"

    assert queue_url(raw.get(services.port, b"inner", b"/v2/storage", several)) == "https://queue.penstock.localhost"


def test_forwarded_headers_of_anybody_else_are_ignored(start: Start) -> None:
    services = start(trusted_proxies=["192.0.2.1"])
    response = raw.get(services.port, b"127.0.0.1", headers=FORWARDED)

    assert queue_url(response) == "http://127.0.0.1/_svc/queue"


@pytest.mark.parametrize("scheme", [b"javascript", b"ftp", b"", b"https:"])
def test_a_forwarded_scheme_is_http_or_https(start: Start, scheme: bytes) -> None:
    services = start(trusted_proxies=["127.0.0.1"])
    response = raw.get(services.port, b"127.0.0.1", headers=b"X-Forwarded-Proto: " + scheme + b"\r\n")

    assert queue_url(response) == "http://127.0.0.1/_svc/queue"


def test_a_crooked_forwarded_host_is_nobodys(start: Start) -> None:
    services = start(trusted_proxies=["127.0.0.1"])
    response = raw.get(services.port, b"127.0.0.1", headers=b"X-Forwarded-Host: a@evil.example/x\r\n")

    assert response.status == 404
    assert b"evil" not in response.body


@pytest.mark.parametrize("url", ["https://data.example/penstock", "https://data.example/penstock/"])
def test_behind_a_public_url_the_index_shows_that_url(start: Start, url: str) -> None:
    services = start(public_url=url)
    response = raw.get(services.port, b"data.example")

    assert queue_url(response) == "https://data.example/penstock/_svc/queue"


def test_a_public_url_does_not_change_the_answer_to_others(start: Start) -> None:
    services = start(public_url="https://data.example")

    assert queue_url(services.service("storage").get(INDEX)) == f"http://127.0.0.1:{services.port}/_svc/queue"
    assert queue_url(services.by_host("connection.penstock.localhost").get(INDEX)) == "http://queue.penstock.localhost"


@pytest.mark.parametrize("path", ["/_svc/queue/jobs", "/_svc/nobody/", "/"])
def test_a_web_socket_that_no_service_has_is_refused(shared: ServicesOnly, path: str) -> None:
    url = f"ws://127.0.0.1:{shared.port}{path}"
    with pytest.raises(InvalidStatus) as refused, connect(url, open_timeout=PATIENCE):
        pass

    assert refused.value.response.status_code == 403
