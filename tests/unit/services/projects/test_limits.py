"""Limits of a project: jobs in parallel, rows and bytes of its tables."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from penstock.foundation import clock
from penstock.foundation.errors import Invalid
from penstock.services.queue.running import leases
from penstock.services.storage.operations.tables import component_loads, imports, snapshots
from penstock.services.storage.store.reservations import LIFETIME
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project, add_project, load_table
from tests.unit.services.projects.changing import set_fields
from tests.unit.services.storage.loading import fail as fail_job
from tests.unit.services.storage.loading import storage, succeed

VERIFY = "/v2/storage/tokens/verify"
ORDERS = {"component": "ex-generic-v2", "configData": {}}
JOBS, ROWS, BYTES = "components.jobsParallelism", "storage.rowsCount", "storage.dataSizeBytes"


def count_rows(services: ServicesOnly, project: Project) -> int:
    return services.service("storage", project.token).get(VERIFY).json["owner"]["rowsCount"]


def test_verify_shows_the_limits_of_the_project(shared: ServicesOnly) -> None:
    project = add_project(shared)
    set_fields(shared, project, limits={JOBS: 3, ROWS: 1e6, "kbc.monthlyProjectPowerLimit": 1.5})

    owner = shared.service("storage", project.token).get(VERIFY).json["owner"]

    assert {name: limit["value"] for name, limit in owner["limits"].items()} == {
        JOBS: 3,
        ROWS: 1_000_000,
        "kbc.monthlyProjectPowerLimit": 1.5,
    }
    assert set(owner["metrics"]) == {"kbc.adminsCount", ROWS, BYTES}


def test_no_more_jobs_of_a_project_run_than_its_limit_allows(services: ServicesOnly) -> None:
    limited, other = add_project(services), add_project(services)
    stack = services.stack.with_settings(jobs_per_project=100)
    set_fields(services, limited, limits={JOBS: 2})
    for project in (limited, other):
        for _ in range(4):
            made = services.service("queue", project.token).post("/jobs", ORDERS)
            assert made.status == 201, made.text

    claimed = [job for job in (leases.claim_job(stack, "w") for _ in range(8)) if job]

    assert [job.project_id for job in claimed].count(limited.caller.project_id) == 2
    assert [job.project_id for job in claimed].count(other.caller.project_id) == 4
    leases.end_terminated(stack, next(job for job in claimed if job.project_id == limited.caller.project_id))
    job = leases.claim_job(stack, "w")
    assert job
    assert job.project_id == limited.caller.project_id


@pytest.mark.parametrize("incremental", [False, True])
def test_a_load_that_would_exceed_the_rows_changes_nothing(shared: ServicesOnly, incremental: bool) -> None:
    project = add_project(shared)
    load_table(shared, "in.c-main.one", "id\n1\n2\n", project)
    load_table(shared, "in.c-main.two", "id\n1\n2\n", project)
    set_fields(shared, project, limits={ROWS: 5})

    with pytest.raises(Invalid) as refused:
        load_table(shared, "in.c-main.two", "id\n3\n4\n5\n6\n", project, incremental=incremental)

    wanted = 8 if incremental else 6
    assert refused.value.message == (
        f"The tables of project {project.caller.project_id} may have 5 rows (limit {ROWS}), and would have {wanted} "
        "after this load. Nothing was changed. Delete rows or tables, or ask for a higher limit."
    )
    preview = shared.service("storage", project.token).get("/v2/storage/tables/in.c-main.two/data-preview").text
    assert sorted(preview.split()) == ['"1"', '"2"', '"id"']
    assert count_rows(shared, project) == 4
    load_table(shared, "in.c-main.two", "id\n7\n8\n9\n", project)
    assert count_rows(shared, project) == 5, "what fits is loaded"


def test_rows_that_are_replaced_by_key_do_not_count_twice(shared: ServicesOnly) -> None:
    project = add_project(shared)
    load_table(shared, "in.c-main.t", "id,name\n1,a\n2,b\n", project, primary_key=("id",))
    set_fields(shared, project, limits={ROWS: 2})

    load_table(shared, "in.c-main.t", "id,name\n1,c\n2,d\n", project, incremental=True)

    assert count_rows(shared, project) == 2


def test_a_load_that_would_exceed_the_bytes_is_refused_and_leaves_no_table(shared: ServicesOnly) -> None:
    project = add_project(shared)
    set_fields(shared, project, limits={BYTES: 10})

    with pytest.raises(Invalid, match=r"may have 10 bytes \(limit storage.dataSizeBytes\)"):
        load_table(shared, "in.c-main.t", "id\n1\n", project)

    assert shared.service("storage", project.token).get("/v2/storage/tables").json == []


def test_an_import_of_a_client_says_which_limit_it_would_exceed(shared: ServicesOnly) -> None:
    project = add_project(shared)
    client = shared.service("storage", project.token)
    load_table(shared, "in.c-main.t", "id\n1\n", project)
    set_fields(shared, project, limits={ROWS: 1})

    refused = client.post("/v2/storage/tables/in.c-main.t/import", {"dataString": "id\n2\n3\n", "incremental": 1})

    assert refused.status == 400, refused.text
    assert refused.json["code"] == "storage.limitExceeded"
    assert "may have 1 rows" in refused.json["error"]


def test_loads_at_the_same_time_do_not_exceed_a_limit_together(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one comes when the first is committed to its table, and not recorded yet."""
    project, load = add_project(shared), component_loads.load_csv
    set_fields(shared, project, limits={ROWS: 5})
    refused = list[str]()

    def load_and_be_overtaken(*given: Any) -> Any:
        monkeypatch.setattr(component_loads, "load_csv", load)
        loaded = load(*given)
        with pytest.raises(Invalid) as error:
            load_table(shared, "in.c-other.two", "id\n1\n2\n3\n", project)
        refused.append(error.value.message)
        load_table(shared, "in.c-other.fits", "id\n1\n2\n", project)
        return loaded

    monkeypatch.setattr(component_loads, "load_csv", load_and_be_overtaken)
    load_table(shared, "in.c-main.one", "id\n1\n2\n3\n", project)

    assert ["would have 6 after this load" in each for each in refused] == [True]
    assert count_rows(shared, project) == 5


def test_the_place_of_a_load_that_failed_is_free_at_once(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    project = add_project(shared)
    set_fields(shared, project, limits={ROWS: 3})

    def fail(*_given: Any, **_named: Any) -> None:
        raise LookupError

    for module, name in ((component_loads, "record_load"), (component_loads, "publish_load")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, fail)
            with pytest.raises(LookupError):
                load_table(shared, "in.c-main.one", "id\n1\n2\n3\n", project)

    load_table(shared, "in.c-main.two", "id\n1\n", project)
    assert count_rows(shared, project) == 1


def test_an_import_that_failed_leaves_its_place_to_others(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = add_project(shared)
    client = shared.service("storage", project.token)
    load_table(shared, "in.c-main.one", "id\n", project)
    set_fields(shared, project, limits={ROWS: 3})

    def fail(*_given: Any, **_named: Any) -> None:
        raise Invalid("not recorded")

    with monkeypatch.context() as patch:
        patch.setattr(imports, "record_load", fail)
        assert client.post("/v2/storage/tables/in.c-main.one/import", {"dataString": "id\n2\n3\n"}).status == 400

    load_table(shared, "in.c-main.two", "id\n1\n2\n3\n", project)
    assert count_rows(shared, project) == 3


def test_a_copy_is_checked_again_when_it_is_committed(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is reserved before a long copy may have expired, and others have taken its place."""
    project, copy = add_project(shared), snapshots.copy_table
    client = storage(shared, project)
    load_table(shared, "in.c-main.one", "id\n1\n2\n3\n", project)
    snapshot = succeed(client, client.post("/tables/in.c-main.one/snapshots"))["id"]
    set_fields(shared, project, limits={ROWS: 8})

    def copy_slowly(*given: Any, **named: Any) -> Any:
        now = clock.source
        monkeypatch.setattr(clock, "source", lambda: now() + LIFETIME)
        load_table(shared, "in.c-other.two", "id\n1\n2\n3\n", project)
        return copy(*given, **named)

    monkeypatch.setattr(snapshots, "copy_table", copy_slowly)
    job = client.post("/buckets/in.c-main/tables-async", {"name": "copy", "snapshotId": snapshot})

    assert "would have 9 after this load" in fail_job(client, job)[1]
    assert count_rows(shared, project) == 6
    monkeypatch.setattr(snapshots, "copy_table", copy)
    load_table(shared, "in.c-other.three", "id\n1\n2\n", project)


class Killed(BaseException):
    """The process ends: nothing is released."""


def test_the_place_of_a_load_that_was_killed_is_free_again_after_a_while(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = add_project(shared)
    set_fields(shared, project, limits={ROWS: 3})

    def fail(*_given: Any, **_named: Any) -> None:
        raise Killed

    monkeypatch.setattr(component_loads, "record_load", fail)
    with pytest.raises(Killed):
        load_table(shared, "in.c-main.one", "id\n1\n2\n3\n", project)
    monkeypatch.undo()
    with pytest.raises(Invalid):
        load_table(shared, "in.c-main.two", "id\n1\n", project)
    now = clock.source
    monkeypatch.setattr(clock, "source", lambda: now() + LIFETIME)

    load_table(shared, "in.c-main.two", "id\n1\n", project)
    assert count_rows(shared, project) == 1


def test_many_loads_at_once_stay_within_the_limit(shared: ServicesOnly) -> None:
    project = add_project(shared)
    set_fields(shared, project, limits={ROWS: 7})

    def load(number: int) -> bool:
        try:
            load_table(shared, f"in.c-main{number}.t", "id\n1\n2\n", project)
        except Invalid:
            return False
        return True

    with ThreadPoolExecutor(6) as threads:
        outcomes = list(threads.map(load, range(6)))

    assert (outcomes.count(True), count_rows(shared, project)) == (3, 6)
