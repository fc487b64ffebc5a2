"""The process of an action: it ends with its time or its client, and a project leaves room for others."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
import time
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import cast

import pytest
from anyio import to_thread

from penstock.services.sync_actions.errors import TooManyActions
from penstock.services.sync_actions.routes import ActionRoutes
from penstock.services.sync_actions.running import ActionRun, remove_forgotten
from tests.support.http import Response
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project
from tests.unit.services.sync_actions.asking import OWN, ask, folders, is_napping


@pytest.fixture
def threads() -> Generator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


@pytest.fixture
def _seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of thirty; more than a busy machine needs to start one."""
    monkeypatch.setattr("penstock.services.sync_actions.running.ACTION_SECONDS", 5)


@pytest.mark.usefixtures("_seconds")
def test_an_action_that_takes_too_long_is_ended_with_its_children(actions: ServicesOnly) -> None:
    response = ask(actions, "nap")

    assert response.status == 400
    assert "exceeded the timeout of 5 seconds" in response.json["error"]
    assert not is_napping()
    assert folders(actions) == []


def test_the_process_ends_when_the_client_leaves(actions: ServicesOnly) -> None:
    body = json.dumps({"componentId": OWN, "action": "nap", "configData": {}}).encode()
    head = (
        f"POST /_svc/sync-actions/actions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
        f"Content-Type: application/json\r\nX-StorageApi-Token: {actions.project.token}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", actions.port), timeout=PATIENCE) as connection:
        connection.sendall(head.encode() + body)
        wait_for(is_napping)
    wait_for(lambda: not is_napping())
    wait_for(lambda: not folders(actions))

    assert ask(actions, "echo", text="{}").status == 201, "its place is free again"


@pytest.mark.usefixtures("_seconds")
def test_a_project_leaves_room_for_others_and_nothing_else_waits(
    actions: ServicesOnly, threads: ThreadPoolExecutor
) -> None:
    mine: Future[Response] = threads.submit(ask, actions, "nap")
    wait_for(is_napping)
    refused = ask(actions, "echo", text="{}")
    assert (refused.status, int(refused.headers["retry-after"]) > 0) == (429, True)

    theirs = threads.submit(ask, actions, "nap", add_project(actions).token)
    wait_for(lambda: len(folders(actions)) == 2)
    busy = ask(actions, "echo", add_project(actions).token, text="{}")
    assert (busy.status, int(busy.headers["retry-after"]) > 0) == (503, True)
    assert actions.service("sync-actions").get("/health-check").status == 200
    assert actions.service("storage").get("/v2/storage/tokens/verify").status == 200

    assert (mine.result().status, theirs.result().status) == (400, 400)
    assert ask(actions, "echo", text="{}").status == 201


def test_a_cancelled_request_leaves_its_place_when_the_process_has_ended() -> None:
    """Of the request only the task is cancelled: the thread with the process is still there."""
    routes, ended, has_begun = ActionRoutes(), threading.Event(), threading.Event()

    class Lasting:
        is_stopped = False

        def stop(self) -> None:
            self.is_stopped = True

        def run(self) -> bytes:
            has_begun.set()
            ended.wait(PATIENCE)
            return b"{}"

    async def cancel_one() -> None:
        first, second = Lasting(), Lasting()
        request = asyncio.create_task(routes._run(cast(ActionRun, first), 1, 2))
        await to_thread.run_sync(has_begun.wait, PATIENCE)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        assert first.is_stopped
        with pytest.raises(TooManyActions):
            await routes._run(cast(ActionRun, second), 1, 2)
        ended.set()
        await asyncio.wait(routes._running)
        assert await routes._run(cast(ActionRun, second), 1, 2) == b"{}"

    asyncio.run(cancel_one())


def test_a_folder_that_is_gone_does_not_keep_others(actions: ServicesOnly) -> None:
    """As one of an action that ends meanwhile: a link to nowhere cannot be looked at either."""
    folder = actions.stack.folder / "actions"
    folder.mkdir(exist_ok=True)
    gone = [folder / f"gone{number}" for number in range(5)]
    for link in gone:
        link.symlink_to(folder / "nowhere")
    left = folder / "left"
    left.mkdir()
    os.utime(left, (time.time() - 1000, time.time() - 1000))
    remove_forgotten(actions.stack)

    assert not left.exists()
    for link in gone:
        link.unlink()


def test_a_folder_that_a_killed_server_left_is_removed(actions: ServicesOnly) -> None:
    left, new = (actions.stack.folder / "actions" / name for name in ("left", "new"))
    for folder in (left, new):
        folder.mkdir(parents=True)
        (folder / "config.json").write_text("{}")
    os.utime(left, (time.time() - 1000, time.time() - 1000))
    remove_forgotten(actions.stack)

    assert (left.exists(), new.exists()) == (False, True)
    (new / "config.json").unlink()
    new.rmdir()
