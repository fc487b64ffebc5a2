"""Projects that are disabled, expired or deleted."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from penstock.foundation import audit, clock
from penstock.foundation.errors import AppError
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.running import leases
from penstock.services.queue.store import trigger_runs
from penstock.services.storage import interface as storage
from penstock.services.storage.worker import Worker
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project, add_project
from tests.unit.services.projects.changing import OPERATOR, change, deliver, disable, set_fields

ORDERS = {"component": "ex-generic-v2", "configData": {"parameters": {}}}
SENTENCES = {"disabled": "is disabled: unpaid.", "expired": "expired on", "deleted": "was deleted."}


@pytest.fixture
def project(shared: ServicesOnly) -> Generator[Project]:
    yield add_project(shared)
    while claim(shared):  # what a test leaves is not found by the next
        pass


def close(services: ServicesOnly, project: Project, state: str) -> None:
    if state == "disabled":
        disable(services, project)
    elif state == "deleted":
        change(services, project, "delete")
    else:
        set_fields(services, project, expires=clock.now() - timedelta(seconds=1))


def claim(services: ServicesOnly) -> JobRow | None:
    return leases.claim_job(services.stack, "w")


def create_job(services: ServicesOnly, project: Project) -> str:
    response = services.service("queue", project.token).post("/jobs", ORDERS)
    assert response.status == 201, response.text
    return response.json["id"]


@pytest.mark.parametrize("state", SENTENCES)
def test_a_token_of_the_project_is_refused_by_every_service_with_the_reason(
    shared: ServicesOnly, project: Project, state: str
) -> None:
    paths = {
        "storage": "/v2/storage/buckets",
        "queue": "/search/jobs",
        "vault": "/variables",
        "oauth": "/credentials",
        "scheduler": "/schedules",
        "editor": "/sql/sessions",
        "notification": "/project-subscriptions",
    }
    for name, path in paths.items():
        assert shared.service(name, project.token).get(path).status == 200, name
    close(shared, project, state)
    for name, path in paths.items():
        response = shared.service(name, project.token).get(path)
        assert (response.status, SENTENCES[state] in response.text) == (403, True), response.text


def test_the_reason_says_when_the_project_is_expected_to_be_enabled(shared: ServicesOnly, project: Project) -> None:
    disable(shared, project, "We move it.", datetime(2030, 1, 2, 3, 4, tzinfo=UTC))

    response = shared.service("storage", project.token).get("/v2/storage/tokens/verify")

    again = "It is expected to be enabled again at 2030-01-02 03:04:00 UTC."
    assert response.json["error"] == f"Project {project.caller.project_id} is disabled: We move it. {again}"
    assert response.json["code"] == "storage.projectDisabled"


def test_an_enabled_or_restored_project_is_as_before(shared: ServicesOnly, project: Project) -> None:
    client = shared.service("storage", project.token)
    disable(shared, project)
    change(shared, project, "enable")
    assert client.get("/v2/storage/buckets").status == 200
    change(shared, project, "delete")
    change(shared, project, "restore")
    assert client.get("/v2/storage/buckets").status == 200

    with shared.stack.database.reading() as tx:
        entries = audit.list_entries(tx, audit.AuditFilter(project_id=project.caller.project_id, event="project"))
    events = [entry.event.removeprefix("project.") for entry in reversed(entries)]
    assert events == ["disabled", "enabled", "deleted", "restored"]
    assert {entry.actor for entry in entries} == {OPERATOR.description}


@pytest.mark.parametrize(
    ("before", "operation", "sentence"),
    [
        ((), "restore", "is not deleted. Only deleted projects can be restored or purged."),
        ((), "purge", "is not deleted. Only deleted projects can be restored or purged."),
        (("delete",), "delete", "was deleted already. Restore it first."),
        (("delete",), "enable", "was deleted already. Restore it first."),
        (("delete", "purge"), "restore", "was purged: nothing of it is left to restore."),
        (("delete", "purge"), "purge", "was purged: nothing of it is left to restore."),
    ],
)
def test_a_change_that_does_not_fit_the_state_is_refused(
    shared: ServicesOnly, project: Project, before: tuple[str, ...], operation: str, sentence: str
) -> None:
    for each in before:
        change(shared, project, each)

    with pytest.raises(AppError, match=sentence):
        change(shared, project, operation)


def test_a_signed_address_of_a_file_stops_working(shared: ServicesOnly, project: Project) -> None:
    client = shared.service("storage", project.token)
    prepared = client.post("/v2/storage/files/prepare", {"name": "a.csv", "federationToken": 1}).json
    url = client.get(f"/v2/storage/files/{prepared['id']}").json["url"]
    disable(shared, project)

    with pytest.raises(HTTPError) as refused:
        urlopen(url)
    assert refused.value.code == 403
    assert b"is disabled: unpaid." in refused.value.read()


def test_a_program_cannot_log_in_to_a_workspace_of_a_disabled_project(shared: ServicesOnly, project: Project) -> None:
    made = shared.service("storage", project.token).post("/v2/storage/workspaces", {})
    assert made.status == 201, made.text
    login = made.json["connection"]
    with shared.stack.database.reading() as tx:
        storage.log_in_to_workspace(tx, login["user"], login["password"])
    disable(shared, project)

    with shared.stack.database.reading() as tx, pytest.raises(AppError, match="is disabled: unpaid"):
        storage.log_in_to_workspace(tx, login["user"], login["password"])


@pytest.mark.parametrize("state", ["disabled", "expired"])
def test_jobs_of_a_closed_project_wait_until_it_is_open(shared: ServicesOnly, project: Project, state: str) -> None:
    job_id, other = create_job(shared, project), add_project(shared)
    close(shared, project, state)
    assert claim(shared) is None
    create_job(shared, other)
    claimed = claim(shared)
    assert claimed
    assert claimed.project_id == other.caller.project_id

    set_fields(shared, project, is_disabled=False, expires=None)
    claimed = claim(shared)
    assert claimed
    assert str(claimed.id) == job_id


def test_deleting_a_project_cancels_its_waiting_jobs_and_terminates_the_running_ones(
    shared: ServicesOnly, project: Project
) -> None:
    running_id = create_job(shared, project)
    running = claim(shared)
    waiting_id = create_job(shared, project)
    assert running
    assert str(running.id) == running_id
    change(shared, project, "delete")
    deliver(shared)

    assert leases.is_unwanted(shared.stack, running), "its worker stops it"
    leases.end_terminated(shared.stack, running)
    change(shared, project, "restore")
    queue = shared.service("queue", project.token)
    assert queue.get(f"/jobs/{waiting_id}").json["status"] == "cancelled"
    assert queue.get(f"/jobs/{running_id}").json["status"] == "terminated"
    assert claim(shared) is None


def test_triggers_of_a_disabled_project_are_not_checked(shared: ServicesOnly, project: Project) -> None:
    with shared.stack.database.writing() as tx:
        trigger_runs.add_check(tx, project.caller.project_id, 1, [])
    disable(shared, project)
    with shared.stack.database.claiming() as tx:
        assert trigger_runs.claim(tx, "w", clock.now()) is None
    change(shared, project, "enable")
    with shared.stack.database.claiming() as tx:
        assert trigger_runs.claim(tx, "w", clock.now())


def test_a_job_of_storage_waits_while_its_project_is_disabled(shared: ServicesOnly, project: Project) -> None:
    client = shared.service("storage", project.token)
    assert client.post("/v2/storage/buckets", {"stage": "in", "name": "main"}).status == 201
    shared.stop_worker()
    wanted = {"name": "t", "columns": [{"name": "id"}], "primaryKeysNames": []}
    job = client.post("/v2/storage/buckets/in.c-main/tables-definition", wanted).json
    disable(shared, project)
    assert not Worker(shared.stack, "w").run_one()
    change(shared, project, "enable")
    assert Worker(shared.stack, "w").run_one()
    assert client.get(f"/v2/storage/jobs/{job['id']}").json["status"] == "success"


def test_other_projects_are_not_affected(shared: ServicesOnly, project: Project) -> None:
    disable(shared, project)

    assert Http(shared.service("storage").base, shared.project.token).get("/v2/storage/buckets").status == 200
