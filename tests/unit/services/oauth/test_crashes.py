"""Processes that are killed while they refresh a token: none is lost that can be known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from penstock.services.oauth.operations import journal
from penstock.services.oauth.store.credentials import list_credentials
from tests.support.providers import Provider
from tests.unit.services.oauth.broker import Broker
from tests.unit.services.oauth.test_refreshing import authorized

FEW, MANY = 12, int(os.environ.get("PENSTOCK_CRASHES", "150"))


def crash(broker: Broker, credential: str, crashes: int) -> list[dict[str, Any]]:
    project = broker.project.caller.project_id
    with broker.stack.database.reading() as tx:
        [row] = list_credentials(tx, project, credential_id=credential)
    program = [sys.executable, "-m", "tests.unit.services.oauth.crashing"]
    done = subprocess.run(
        [*program, str(broker.stack.folder), str(project), str(row.number), str(crashes)],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for left in (broker.stack.folder / journal.FOLDER).iterdir():
        left.unlink()  # by the last process; other tests use the same stack
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("crashes", [FEW, pytest.param(MANY, marks=pytest.mark.faults)])
def test_no_kill_loses_a_token_at_a_provider_that_accepts_the_last_one(
    broker: Broker, provider: Provider, crashes: int
) -> None:
    provider.rotation = "grace"
    killed = crash(broker, authorized(broker, provider), crashes)

    assert len(killed) == crashes
    assert sum(not each["ended"] for each in killed) > 0.9 * crashes
    assert any(each["hasResponse"] for each in killed)
    assert [each for each in killed if not each["stored"]] == []
    assert killed[-1]["stored"] in provider.valid


def test_no_kill_loses_a_token_that_is_in_the_journal_however_strict_the_provider(
    broker: Broker, provider: Provider
) -> None:
    """If a process was killed before it wrote the response of a strict provider, the token is lost: from there on the
    provider refuses."""
    provider.rotation = "strict"
    killed = crash(broker, authorized(broker, provider), FEW)
    lost = [each for each in killed if not each["stored"]]

    assert [each for each in lost if each["hasResponse"]] == []
    assert killed[0]["stored"]
