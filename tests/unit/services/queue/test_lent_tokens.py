"""A component that asks for a token gets one of its own, for as long as it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.callers import Caller
from penstock.foundation.database import DatabaseUnavailable
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.reports.job_events import get_caller
from penstock.services.queue.running import leases
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project
from tests.unit.services.members import join, make_user, sign_in
from tests.unit.services.queue.own_components import (
    add_component,
    claim,
    claim_again,
    create_job,
    execute,
    messages,
    run,
)

OWN = "own.test"
SAY = 'print("told", sorted(name for name in os.environ if name in ("KBC_TOKEN", "KBC_URL", "KBC_TOKENDESC")))\n'
PRINT = 'print("token", os.environ["KBC_TOKEN"])\n'


def caller_of(services: ServicesOnly, job: JobRow) -> Caller:
    with services.stack.database.reading() as tx:
        return get_caller(tx, job)


def tokens(services: ServicesOnly) -> list[dict[str, Any]]:
    return services.service("storage").get("/v2/storage/tokens").json


def test_a_component_that_does_not_ask_gets_none(services: ServicesOnly, tmp_path: Path) -> None:
    add_component(services, tmp_path, OWN, SAY)

    assert "told []" in messages(services, run(services, OWN, configData={"parameters": {}}))


def test_details_are_given_to_a_component_that_asks(services: ServicesOnly, tmp_path: Path) -> None:
    add_component(services, tmp_path, OWN, SAY, forward_token_details=True)

    assert "told ['KBC_TOKENDESC']" in messages(services, run(services, OWN, configData={"parameters": {}}))


def test_the_user_who_started_a_job_is_given_to_a_component_that_asks(services: ServicesOnly, tmp_path: Path) -> None:
    add_component(services, tmp_path, OWN, 'print("by", os.environ.get("KBC_REALUSER"))', forward_token_details=True)
    project, user = first_project(services), make_user(services)
    join(services, project, user, "admin")
    member, program = sign_in(services, project, user).token, make_token(services)

    for token, known in ((member, user.email), (program, "None")):
        made = services.service("queue", token).post("/jobs", {"component": OWN, "configData": {"parameters": {}}})
        assert made.status == 201, made.text
        assert f"by {known}" in messages(services, execute(services, claim(services)))


def make_token(services: ServicesOnly) -> str:
    return services.service("storage").post("/v2/storage/tokens", {"canManageBuckets": True}).json["token"]


@pytest.mark.parametrize("end", ["", "sys.exit(1)", "sys.exit(2)"])
def test_a_token_ends_with_the_component_and_is_hidden(services: ServicesOnly, tmp_path: Path, end: str) -> None:
    before = tokens(services)
    add_component(services, tmp_path, OWN, SAY + PRINT + end, forward_token=True)
    job = run(services, OWN, configData={"parameters": {}})

    assert "told ['KBC_TOKEN', 'KBC_URL']" in messages(services, job)
    assert "token [hidden]" in messages(services, job)
    assert tokens(services) == before


def test_a_token_may_do_what_the_jobs_own_may_but_make_no_others(services: ServicesOnly) -> None:
    job_id = create_job(services, "ex-generic-v2", config="sample-orders")
    job = claim(services)
    caller = caller_of(services, job)
    lent = leases.create_run_token_of(services.stack, caller, job, leases.Progress(), 60)
    storage = services.service("storage", lent.text)

    assert storage.post("/v2/storage/buckets", {"name": "mine", "stage": "in"}).status == 201
    assert storage.get("/v2/storage/tokens/verify").json["isMasterToken"] is False
    assert storage.get("/v2/storage/tokens").status == 403
    assert storage.get("/v2/storage/tokens/verify").json["expires"] is not None

    execute(services, claim_again(services))
    assert storage.get("/v2/storage/tokens/verify").status == 401
    assert services.service("queue").get(f"/jobs/{job_id}").json["status"] == "success"


def test_a_job_that_is_given_up_leaves_no_token(services: ServicesOnly) -> None:
    create_job(services, "ex-generic-v2", config="sample-orders")
    job = claim(services)
    before = tokens(services)
    leases.create_run_token_of(services.stack, caller_of(services, job), job, leases.Progress(), 60)
    assert len(tokens(services)) == len(before) + 1
    services.service("queue").post(f"/jobs/{job.id}/kill")
    with pytest.raises(AssertionError):
        claim_again(services)

    assert tokens(services) == before


def test_a_token_that_cannot_be_noted_is_not_made(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    create_job(services, "ex-generic-v2", config="sample-orders")
    job = claim(services)
    before = tokens(services)

    def die(*_args: object, **_more: object) -> None:
        raise DatabaseUnavailable

    monkeypatch.setattr(leases.jobs, "change_claimed", die)
    with pytest.raises(DatabaseUnavailable):
        leases.create_run_token_of(services.stack, caller_of(services, job), job, leases.Progress(), 60)

    assert tokens(services) == before
