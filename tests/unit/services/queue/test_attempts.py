"""A job in several attempts: what the first one did is neither lost nor done twice, whatever changed between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.foundation.database import DatabaseUnavailable
from penstock.foundation.jobs.claims import LeaseLost
from penstock.runtime.sandboxing import SandboxRule
from penstock.services.queue.execution import Execution
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running import leases
from penstock.services.queue.running.monitor import JobMonitor
from penstock.services.queue.worker import Worker, launchers
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import new_on_one_database
from tests.unit.services.queue.own_components import (
    add_component,
    claim,
    claim_again,
    configure,
    create_job,
    execute,
    preview,
)

OWN = "own.test"
ROWS = f"/v2/storage/components/{OWN}/configs/x/rows"
SCRIPT = """
row = config["parameters"].get("row", "none")
write_table("a.csv", f"id\\n{row}\\n", destination="in.c-main.a", incremental=True)
(out / "state.json").write_text(json.dumps({"from": row}))
(out / "result.json").write_text(json.dumps({"variables": {"told": config["parameters"].get("#key")}}))
"""


@pytest.fixture
def own(services: ServicesOnly, tmp_path: Path) -> ServicesOnly:
    add_component(services, tmp_path, OWN, SCRIPT)
    return services


def break_off(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch, job: JobRow, function: str) -> JobRow:
    """As if the worker were killed there; the job as the next one claims it."""

    def die(*_args: object, **_more: object) -> None:
        raise DatabaseUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(leases, function, die)
        with pytest.raises(DatabaseUnavailable):
            execute(services, job)
    return claim_again(services)


def states(services: ServicesOnly) -> dict[str, object]:
    rows = services.service("storage").get(ROWS).json
    return {row["id"]: row["state"].get("component") for row in rows if row["state"]}


def test_a_row_that_was_removed_is_stored_under_its_own_name_and_the_others_run(
    own: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(own, OWN, ("r1", "r2", "r3"))
    create_job(own, OWN, config="x")
    # r1 is done, r2 is collected and loaded but not recorded.
    taken = break_off(own, monkeypatch, claim(own), "record_part")
    own.service("storage").delete(f"{ROWS}/r1")
    job = execute(own, taken)

    assert job["status"] == "success", job["result"]
    assert preview(own, "in.c-main.a") == ['"r1"', '"r2"', '"r3"']
    assert set(states(own)) == {"r2", "r3"}


def test_rows_that_change_places_are_each_loaded_once(own: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(own, OWN, ("r1", "r2"))
    create_job(own, OWN, config="x")
    calls: list[object] = []
    record = leases.record_progress

    def die_the_second_time(*args: object) -> None:
        calls.append(args)
        if len(calls) == 2:
            raise DatabaseUnavailable
        record(*args)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(leases, "record_progress", die_the_second_time)
        with pytest.raises(DatabaseUnavailable):
            execute(own, claim(own))
    own.service("storage").delete(f"{ROWS}/r1")
    job = execute(own, claim_again(own))

    assert job["status"] == "success", job["result"]
    assert preview(own, "in.c-main.a") == ['"r1"', '"r2"']


def test_rows_that_all_go_do_not_make_the_configuration_itself_run(
    own: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(own, OWN, ("r1",))
    create_job(own, OWN, config="x")
    taken = break_off(own, monkeypatch, claim(own), "finish_job")
    own.service("storage").delete(f"{ROWS}/r1")
    job = execute(own, taken)

    assert job["status"] == "success", job["result"]
    assert preview(own, "in.c-main.a") == ['"r1"']


@new_on_one_database
def test_secrets_stay_hidden_in_what_another_attempt_stores(own: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    create_job(own, OWN, configData={"parameters": {"#key": "canary-output-5"}})
    taken = break_off(own, monkeypatch, claim(own), "finish_job")
    job = execute(own, taken)

    assert job["result"]["output"]["variables"] == [{"name": "told", "value": "[hidden]"}]
    assert b"canary" not in (taken.progress or b"")


def test_what_an_attempt_that_failed_stored_does_not_stand_in_the_way_of_one_that_succeeds(
    services: ServicesOnly, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = """
marker = Path(config["parameters"]["marker"])
write_table("a.csv", f"id\\n{marker.exists()}\\n", destination="in.c-main.a", write_always=True)
sys.exit(0 if marker.exists() else 1)
"""
    marker = services.stack.folder / "cache" / "1" / "marker"
    add_component(services, tmp_path, OWN, script)
    create_job(services, OWN, configData={"parameters": {"marker": str(marker)}})
    taken = break_off(services, monkeypatch, claim(services), "finish_job")
    marker.write_text("")
    job = execute(services, taken)

    assert job["status"] == "success", job["result"]
    assert preview(services, "in.c-main.a") == ['"True"']


def test_an_attempt_that_was_frozen_stores_nothing_of_its_failure(services: ServicesOnly, tmp_path: Path) -> None:
    script = 'write_table("a.csv", "id\\n1\\n", destination="in.c-main.a", write_always=True); sys.exit(1)'
    add_component(services, tmp_path, OWN, script)
    create_job(services, OWN, configData={"parameters": {}})
    frozen = claim(services)
    claim_again(services)
    with JobMonitor(services.stack, caller_of(frozen), frozen) as monitor, pytest.raises(LeaseLost):
        Execution(
            services.stack, frozen, monitor, launchers("process", SandboxRule(setting="auto"), services.stack.database)
        ).run()

    assert services.service("storage").get("/v2/storage/tables").json == []


def test_a_worker_that_lost_a_job_which_has_ended_leaves_nothing_of_it(own: ServicesOnly) -> None:
    create_job(own, OWN, configData={"parameters": {}})
    frozen = claim(own)
    execute(own, claim_again(own))
    worker = Worker(own.stack, "test", launchers("process", SandboxRule(setting="auto"), own.stack.database))

    worker.perform(frozen)

    assert list(own.stack.jobs_folder.iterdir()) == []
