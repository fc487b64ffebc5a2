"""What comes from the stack's own jobs gets the sample, and no other service of the stack."""

from __future__ import annotations

import pytest

from penstock.foundation.outbound import MARK, Gate, Refused, Response, call
from tests.support.api import Api
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.web.test_hosts import INDEX, Start, start

__all__ = ["start"]


@pytest.fixture
def behind_a_proxy(start: Start) -> ServicesOnly:
    """As documented for a reverse proxy on the same machine, with everything allowed that an operator can allow."""
    return start(trusted_proxies=["127.0.0.1", "::1"], allow_hosts=["127.0.0.1", "::1", "localhost"])


def send(services: ServicesOnly, url: str, **headers: str) -> Response:
    """As a job sends it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def go() -> Response:
        async with Gate(services.stack.outbound) as gate:
            return await gate.send("GET", url, headers=named)

    return call(go())


def test_a_job_does_not_speak_for_the_proxy_that_is_trusted(behind_a_proxy: ServicesOnly) -> None:
    response = send(
        behind_a_proxy,
        "http://sample.penstock.localhost/customers",
        X_Forwarded_Host="connection.penstock.localhost",
        X_Forwarded_Proto="https",
    )

    assert response.status == 200
    assert b"customers" in response.body


@pytest.mark.parametrize(
    "url",
    [
        f"http://127.0.0.1:{{}}/_svc/storage{INDEX}",
        "http://localhost:{}/_svc/queue/",
        "http://[::1]:{}/_svc/vault/",
        f"http://connection.penstock.localhost:{{}}{INDEX}",
        f"http://storage.penstock.localhost:{{}}{INDEX}",
        "http://penstock.localhost:{}/",
    ],
)
def test_a_job_does_not_reach_a_service_although_its_address_is_allowed(behind_a_proxy: ServicesOnly, url: str) -> None:
    with pytest.raises(Refused, match="this stack itself"):
        send(behind_a_proxy, url.format(behind_a_proxy.port))


@pytest.mark.parametrize(("name", "status"), [("storage", 403), ("queue", 403), ("portal", 403), ("sample", 200)])
def test_a_request_that_comes_back_through_others_is_known_by_its_mark(
    shared: ServicesOnly, name: str, status: int
) -> None:
    """A reverse proxy at an address that nobody here knows passes it on."""
    mark = shared.stack.outbound.mark
    base = f"http://127.0.0.1:{shared.port}/_svc/{name}"

    assert mark
    assert Http(base, headers={MARK: mark}).get("/").status == status
    for other in ("of another stack", "number.signature", "é.é", ".", shared.stack.outbound.mark[:-1]):
        assert Http(base, headers={MARK: other}).get("/").status == 200


def test_a_mark_shows_to_others_neither_the_stack_nor_that_two_requests_are_of_one(shared: ServicesOnly) -> None:
    """Each process of a stack has a new one, and all processes know it."""
    cipher = shared.stack.cipher
    first, second = cipher.make_mark(), cipher.make_mark()

    assert not set(first.split(".")) & set(second.split("."))
    assert all(cipher.is_own_mark(mark) for mark in (first, second, shared.stack.outbound.mark))
    assert shared.stack.outbound.mark not in (first, second)
    base = f"http://127.0.0.1:{shared.port}/_svc/queue"
    assert Http(base, headers={MARK: second}).get("/").status == 403


def test_a_host_does_not_recognize_a_stack_that_was_started_again(start: Start) -> None:
    """What is started has copies of one data folder."""
    with Api() as api:
        for _ in range(2):
            send(start(allow_hosts=["127.0.0.1"]), f"{api.url}/")
        first, second = ({name.lower(): text for name, text in seen.headers.items()} for seen in api.seen)

    assert first[MARK.lower()] != second[MARK.lower()]
