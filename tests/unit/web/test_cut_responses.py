"""Requests without a key: sent again after their response was cut they are done once; otherwise each is done."""

from __future__ import annotations

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from penstock.foundation import clock
from penstock.foundation.jobs.waiting import Waiting
from penstock.web.idempotency import repeats
from penstock.web.requests import Wait
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project

READ_SECONDS = 0.2
"""In which a request that came after another is usually read; if it is not, it is sent to a database that is free."""
WISH = {"component": "ex-generic-v2", "configData": {"parameters": {}}}


def jobs(services: ServicesOnly) -> list[str]:
    return [job["id"] for job in services.service("queue").get("/search/jobs").json]


def kept(services: ServicesOnly) -> int:
    with services.stack.database.reading() as tx:
        return tx.value(select(func.count()).select_from(repeats))


def post(services: ServicesOnly, token: str | None = None, **more: Any) -> str:
    response = services.service("queue", token).post("/jobs", {**WISH, **more})
    assert response.status == 201, response.text
    return response.json["id"]


def leave(services: ServicesOnly, times: int = 1) -> str:
    """Ask, and go away before the response comes: the database is busy until then. The job that was made."""
    before = set(jobs(services))
    with services.stack.database.writing():
        for _ in range(times):
            ask_and_leave(services)
    [made] = wait_for(lambda: set(jobs(services)) - before)
    return made


def ask_and_leave(services: ServicesOnly) -> None:
    """Until the first request waits to write, and the connection is seen to be closed."""
    database: Any = services.stack.database
    with socket.create_connection(("127.0.0.1", services.port), timeout=PATIENCE) as connection:
        connection.sendall(_request(services))
        wait_for(lambda: database._kind._commits._turns.waiting)
        time.sleep(READ_SECONDS)
    wait_for(lambda: not services.server.connections)


def test_a_request_that_fails_after_its_commit_does_not_block_its_retry(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_waiting: Waiting, _wait: Wait) -> None:
        raise ValueError

    with monkeypatch.context() as patch:
        patch.setattr(Waiting, "wait", fail)
        assert services.service("queue").post("/jobs", WISH).status == 500

    assert jobs(services) == [post(services)]


def test_intended_runs_are_as_many_as_were_asked_for(services: ServicesOnly) -> None:
    made = [post(services) for _ in range(5)]

    assert len(set(made)) == 5
    assert wait_for(lambda: kept(services) == 0)


def test_intended_runs_at_the_same_time_are_as_many(services: ServicesOnly) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: post(services), range(24)))

    assert len(set(made)) == 24
    assert wait_for(lambda: kept(services) == 0)


def test_a_request_whose_answer_was_cut_is_done_once(services: ServicesOnly) -> None:
    first = leave(services)

    assert post(services) == first
    assert post(services) != first
    assert len(jobs(services)) == 2


def test_a_request_that_is_cut_again_and_again_is_done_once(services: ServicesOnly) -> None:
    first = leave(services, times=4)

    assert post(services) == first
    assert jobs(services) == [first]


def test_only_the_answer_that_was_cut_is_given_again(services: ServicesOnly) -> None:
    before = [post(services), post(services)]
    cut = leave(services)

    assert post(services) == cut
    assert {*jobs(services)} == {*before, cut}


def test_who_asks_again_while_the_first_still_goes_on_gets_its_answer(services: ServicesOnly) -> None:
    with ThreadPoolExecutor(1) as pool:
        # While the database is busy, nothing is done.
        with services.stack.database.writing():
            ask_and_leave(services)
            again = pool.submit(post, services)
            time.sleep(READ_SECONDS)
        made = again.result(timeout=PATIENCE)

    assert jobs(services) == [made]


@pytest.mark.parametrize("more", [{"tag": "1.0.0"}, {"configData": {"parameters": {"a": 1}}}])
def test_another_request_is_another(services: ServicesOnly, more: dict[str, Any]) -> None:
    leave(services)

    assert post(services, **more) not in jobs(services)[1:]
    assert len(jobs(services)) == 2


def test_the_request_of_another_token_is_another(services: ServicesOnly) -> None:
    leave(services)
    other = add_project(services)

    assert post(services, other.token) not in jobs(services)


def test_after_a_minute_it_is_a_new_request(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(services)
    now = clock.source
    monkeypatch.setattr(clock, "source", lambda: now() + timedelta(seconds=61))
    post(services)

    assert len(jobs(services)) == 2


def test_a_process_that_ended_before_it_answered_leaves_the_answer_to_the_next(
    services: ServicesOnly, tmp_path: Path
) -> None:
    first = leave(services)
    services.close()
    following = ServicesOnly(tmp_path / "data")
    try:
        assert post(following) == first
        assert post(following) != first
    finally:
        following.close()


def test_what_was_refused_leaves_nothing(services: ServicesOnly) -> None:
    for _ in range(2):
        assert services.service("queue").post("/jobs", {**WISH, "mode": "odd"}).status == 400

    assert (jobs(services), kept(services)) == ([], 0)


@pytest.mark.parametrize("times", [2, 11])
def test_with_a_key_it_is_done_once_however_often_it_was_answered(services: ServicesOnly, times: int) -> None:
    headers = {"Content-Type": "application/json", "Idempotency-Key": "k"}
    body = json.dumps(WISH).encode()
    responses = [services.service("queue").send("POST", "/jobs", body, headers) for _ in range(times)]

    assert {response.status for response in responses} == {201}
    assert {response.json["id"] for response in responses} == set(jobs(services))
    assert len(jobs(services)) == 1


def _request(services: ServicesOnly) -> bytes:
    body = json.dumps(WISH).encode()
    head = (
        f"POST /_svc/queue/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nX-StorageApi-Token: {services.project.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
