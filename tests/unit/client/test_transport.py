"""Failures in transit: which requests are retried, which are not, and the final error."""

from __future__ import annotations

import pytest

from penstock.client import Client, ClientError, NotAStack, RequestRefused, ServiceMissing, StackUnreachable, connect
from penstock.client.discovery import find_portal
from tests.support.api import Api, Response
from tests.support.refusing import refusing_url

JOB = {"id": "7", "status": "created", "component": "c", "config": "1", "result": []}


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_get_is_tried_again_while_the_stack_is_busy(pretender: Api, visitor: Client, status: int) -> None:
    pretender.on("/q/jobs/7", [Response(status), Response(status), Response.json(JOB)])

    assert visitor.get_job("7").status == "created"
    assert len(pretender.asked("/q/jobs/7")) == 3


def test_a_get_is_tried_again_when_the_connection_breaks(pretender: Api, visitor: Client) -> None:
    pretender.on("/q/jobs/7", [Response(200, b"{" * 50, cut=10), Response.json(JOB)])

    assert visitor.get_job("7").id == "7"


def test_a_get_is_given_up_after_a_few_tries(pretender: Api, visitor: Client) -> None:
    pretender.on("/q/jobs/7", Response.json({"error": "Try later.", "exceptionId": "exception-1"}, 503))

    with pytest.raises(RequestRefused, match="answered 503: Try later") as refusal:
        visitor.get_job("7")

    assert (refusal.value.status, refusal.value.exception_id) == (503, "exception-1")
    assert len(pretender.asked("/q/jobs/7")) == 3


def test_a_post_is_never_sent_twice(pretender: Api, visitor: Client) -> None:
    pretender.on("/q/jobs", Response(503, b"<html>busy</html>"))

    with pytest.raises(RequestRefused, match="Service Unavailable"):
        visitor.run_job("c", "1")

    assert [seen.method for seen in pretender.seen if seen.path == "/q/jobs"] == ["POST"]


@pytest.mark.parametrize("status", [301, 303, 307])
def test_a_redirect_is_followed_by_a_get_and_never_sends_a_post_twice(
    pretender: Api, visitor: Client, status: int
) -> None:
    pretender.on("/q/jobs/7", Response(status, headers={"Location": "/q/there"}))
    pretender.on("/q/there", Response.json(JOB))
    pretender.on("/q/jobs", Response(status, headers={"Location": "/q/there"}))

    assert visitor.get_job("7").id == "7"
    with pytest.raises(ClientError):
        visitor.run_job("c", "1")
    assert [seen.method for seen in pretender.seen if seen.path == "/q/jobs"] == ["POST"]


def test_a_job_is_asked_for_with_mode_component_and_config(pretender: Api, visitor: Client) -> None:
    pretender.on("/q/jobs", Response.json(JOB, 201))

    job = visitor.run_job("c", "1")

    assert pretender.seen[-1].body == b'{"mode":"run","component":"c","config":"1"}'
    assert pretender.seen[-1].headers["x-storageapi-token"] == "a-token"
    assert (job.message, job.tables) == ("", [])


def test_a_token_of_a_person_is_sent_with_the_project(pretender: Api) -> None:
    pretender.on("/q/jobs/7", Response.json(JOB))
    with connect(pretender.url, "kbc_pat_1", project="12", pauses=()) as person:
        person.get_job("7")

    sent = pretender.seen[-1].headers
    assert (sent["authorization"], sent["x-kbc-projectid"]) == ("Bearer kbc_pat_1", "12")
    assert "x-storageapi-token" not in sent


def test_the_index_is_asked_once_and_without_a_token(pretender: Api, visitor: Client) -> None:
    visitor.url_of("queue")
    visitor.url_of("queue")

    assert [seen.headers.get("x-storageapi-token", "") for seen in pretender.seen] == [""]


def test_a_service_that_is_not_listed_is_missing(visitor: Client) -> None:
    with pytest.raises(ServiceMissing, match="no service 'vault'; it has: storage, queue"):
        visitor.url_of("vault")


def test_events_are_read_page_by_page_until_there_are_no_more(pretender: Api, visitor: Client) -> None:
    everything = [{"id": str(number), "message": "m"} for number in range(1, 1502)]

    def events(since: int) -> Response:
        return Response(200, Response.json([event for event in everything if int(event["id"]) > since][:1000]).body)

    pretender.on("/v2/storage/events", lambda seen: events(int(seen.params["sinceId"])))

    assert [event.id for event in visitor.read_events("7")] == [event["id"] for event in everything]
    assert len(pretender.asked("/v2/storage/events")) == 2


def test_a_token_is_not_sent_in_the_clear_to_a_service_of_a_stack_with_tls() -> None:
    from penstock.client.discovery import Discovery
    from penstock.client.models import Index, Service
    from penstock.client.transport import Transport
    from penstock.foundation.outbound import Policy

    transport = Transport("a-token", Policy(is_open=True))
    discovery = Discovery("https://connection.stack.example", transport)
    discovery._index = Index(services=[Service(id="queue", url="http://queue.stack.example")])

    with pytest.raises(ClientError, match="plain HTTP"):
        discovery.url_of("queue")
    transport.close()


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"{}", b""])
def test_an_address_that_is_not_a_stack_is_reported(body: bytes) -> None:
    with Api() as api:
        api.on("/v2/storage", Response(200, body))
        with connect(api.url, "t", pauses=()) as client, pytest.raises(NotAStack, match="is not the storage address"):
            client.run_job("c", "1")


def test_an_address_without_a_server_has_an_error_message() -> None:
    unreachable = pytest.raises(StackUnreachable, match="Is the stack running")
    with refusing_url() as url, connect(url, "t", pauses=()) as client, unreachable:
        client.run_job("c", "1")


@pytest.mark.parametrize(
    ("storage", "portal"),
    [
        ("http://127.0.0.1:8300/_svc/storage", "http://127.0.0.1:8300/_svc/portal"),
        ("http://127.0.0.1:8300/_svc/connection", "http://127.0.0.1:8300/_svc/portal"),
        ("https://connection.acme.stack.example", "https://api.acme.stack.example"),
        ("http://connection.penstock.localhost:8300", "http://api.penstock.localhost:8300"),
    ],
)
def test_the_portal_stands_beside_the_storage(storage: str, portal: str) -> None:
    assert find_portal(storage) == portal


def test_the_portal_cannot_be_derived_from_just_any_address() -> None:
    with pytest.raises(NotAStack):
        find_portal("http://127.0.0.1:8300")
