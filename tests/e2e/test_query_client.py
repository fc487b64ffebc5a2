"""The package `keboola-query-service`, unmodified, against a stack."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

import pytest
from keboola_query_service import (
    AuthenticationError,
    Client,
    JobError,
    JobState,
    NotFoundError,
    StatementState,
    ValidationError,
)

from penstock.client import connect
from tests.support.stacks import RunningStack, wait_for

NUMBERS = "WITH RECURSIVE r AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM r WHERE n < {last}) SELECT {what} FROM r"
LINES = NUMBERS.format(last=1233, what="n") + " ORDER BY n"
ENDLESS = NUMBERS.format(last=100_000_000_000, what="COUNT(*)")


@pytest.fixture(scope="module")
def url(stack: RunningStack) -> str:
    with connect(stack.greeting["storageUrl"], stack.greeting["token"]) as client:
        return client.url_of("query")


@pytest.fixture
def client(stack: RunningStack, url: str) -> Generator[Client]:
    with Client(url, stack.greeting["token"]) as client:
        yield client


@pytest.fixture
def place(stack: RunningStack) -> Generator[tuple[str, str]]:
    """The branch and a new workspace in it."""
    branches = stack.storage.get("/v2/storage/dev-branches").json
    made = stack.storage.post("/v2/storage/workspaces", {"backend": "snowflake", "readOnlyStorageAccess": True})
    assert made.status == 201, made.text
    yield str(next(each["id"] for each in branches if each["isDefault"])), str(made.json["id"])
    assert stack.storage.delete(f"/v2/storage/workspaces/{made.json['id']}").status < 300


def test_a_job_is_submitted_polled_read_and_in_the_history(client: Client, place: tuple[str, str]) -> None:
    job_id = client.submit_job(*place, ["CREATE TABLE t AS SELECT 1 AS n, NULL AS x", "SELECT n, x FROM t"])
    status = client.wait_for_job(job_id)
    result = client.get_job_results(job_id, status.statements[1].id)
    history = client.get_query_history(*place)
    older = client.get_query_history(*place, after_id=history.statements[0].id)

    assert status.status is JobState.COMPLETED
    assert [column.name for column in result.columns] == ["N", "X"]
    assert (result.data, result.number_of_rows) == ([["1", None]], 1)
    assert [each.query for each in history.statements] == [each.query for each in reversed(status.statements)]
    assert {each.query_job_id for each in history.statements} == {job_id}
    assert [each.id for each in older.statements] == [status.statements[0].id]


def test_pages_and_the_stream_have_every_row(client: Client, place: tuple[str, str]) -> None:
    [whole] = client.execute_query(*place, [LINES], page_size=500)
    pages = list(client.execute_query_iter(*place, [LINES], page_size=500))
    last = client.get_query_history(*place).statements[0]
    streamed = list(client.stream_results(last.query_job_id, last.id))

    assert whole.data == [[str(number)] for number in range(1234)]
    assert [len(page.data) for page in pages] == [500, 500, 234]
    assert len(streamed) == 1234


def test_a_job_is_canceled_with_its_reason(client: Client, place: tuple[str, str]) -> None:
    job_id = client.submit_job(*place, [ENDLESS])
    wait_for(lambda: client.get_job_status(job_id).status is JobState.PROCESSING)
    assert client.cancel_job(job_id, "No longer needed") == job_id
    status = client.wait_for_job(job_id)

    assert (status.status, status.cancellation_reason) == (JobState.CANCELED, "No longer needed")
    assert [each.status for each in status.statements] == [StatementState.CANCELED]


def test_errors_are_those_of_the_package(client: Client, place: tuple[str, str], url: str) -> None:
    with pytest.raises(JobError, match="syntax error line 1 at position 0 unexpected 'INVALID'"):
        client.execute_query(*place, ["INVALID SQL"])
    with pytest.raises(ValidationError, match="is empty"):
        client.submit_job(*place, [" "])
    with pytest.raises(NotFoundError):
        client.get_job_status("123456789")
    with Client(url, "wrong") as stranger, pytest.raises(AuthenticationError):
        stranger.submit_job(*place, ["SELECT 1"])


def test_its_asynchronous_calls_work_too(stack: RunningStack, place: tuple[str, str], url: str) -> None:
    async def run() -> tuple[list[list[str]], int]:
        async with Client(url, stack.greeting["token"]) as client:
            [result] = await client.execute_query_async(*place, ["SELECT 7 AS n"])
            history = await client.get_query_history_async(*place)
            last = history.statements[0]
            return result.data, len([row async for row in client.stream_results_async(last.query_job_id, last.id)])

    assert asyncio.run(run()) == ([["7"]], 1)
