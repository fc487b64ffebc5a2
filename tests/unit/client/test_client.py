"""The client against a whole stack."""

from __future__ import annotations

import json

import pytest

from penstock.client import AccessDenied, Client, Event, NotThere, RequestRefused, TokenRefused, connect
from tests.support.stacks import RunningStack


def test_a_job_is_followed_to_its_end_and_its_rows_are_read(client: Client) -> None:
    seen: list[Event] = []

    job = client.wait(client.run_job("ex-generic-v2", "sample-customers"), on_event=seen.append)

    assert (job.status, job.is_finished, job.is_success) == ("success", True, True)
    assert "in.c-sample.customers" in [table.id for table in job.tables]
    assert client.preview("in.c-sample.customers").columns[0] == "id"
    assert len(client.preview("in.c-sample.customers", limit=7).rows) == 7
    assert client.get_table("in.c-sample.customers").rows_count == 250


def test_the_log_comes_oldest_first_and_each_line_once(client: Client, stack: RunningStack) -> None:
    seen: list[Event] = []

    job = client.wait(client.run_job("ex-generic-v2", "sample-orders"), on_event=seen.append)

    assert [event.id for event in seen] == [event["id"] for event in stack.events(job.id)]
    assert seen[-1].type == "success"


def test_tables_are_listed_with_their_columns(client: Client) -> None:
    client.wait(client.run_job("ex-generic-v2", "sample-orders"))

    orders = next(table for table in client.list_tables() if table.id == "in.c-sample.orders")

    assert orders.columns[:2] == ["id", "customer_id"]
    assert orders.rows_count == 430


def test_services_are_found_in_the_form_of_the_given_address(stack: RunningStack) -> None:
    port = stack.greeting["storageUrl"].split(":")[2].split("/")[0]
    by_host = f"http://connection.penstock.localhost:{port}/v2/storage/"

    with connect(by_host, stack.greeting["token"]) as client:
        assert client.url_of("queue") == f"http://queue.penstock.localhost:{port}"
        assert client.list_apis().stack == "penstock.localhost"
        assert client.tokens.verify().is_master_token


def test_the_portal_gives_every_service_with_its_specification(client: Client) -> None:
    queue = next(api for api in client.list_apis().services if api.id == "queue")

    assert queue.api_url == client.url_of("queue")
    assert json.loads(client.read_specification("queue"))["openapi"].startswith("3.1")


def test_a_token_is_made_used_listed_and_revoked(client: Client, stack: RunningStack) -> None:
    made = client.tokens.create("for a test", expires_in=60, components=["ex-generic-v2"])

    assert made.token
    assert [token.description for token in client.tokens.list() if token.id == made.id] == ["for a test"]
    with connect(stack.greeting["storageUrl"], made.token) as guest:
        assert guest.tokens.verify().component_access == ["ex-generic-v2"]
        with pytest.raises(AccessDenied):
            guest.tokens.list()
        client.tokens.revoke(made.id)
        with pytest.raises(TokenRefused, match="Invalid access token"):
            guest.tokens.verify()


def test_a_refusal_carries_the_sentence_the_status_and_the_exception_id(client: Client) -> None:
    with pytest.raises(RequestRefused) as refusal:
        client.run_job("ex-generic-v2", "nope")

    assert refusal.value.status == 400
    assert "There is no configuration nope" in refusal.value.message
    assert (refusal.value.exception_id or "").startswith("exception-")
    assert str(refusal.value.exception_id) in str(refusal.value)


def test_what_is_not_there_is_an_error_of_its_own(client: Client) -> None:
    with pytest.raises(NotThere):
        client.get_job("999999")
    with pytest.raises(NotThere):
        client.preview("in.c-nobody.knows")
