"""One attempt at a job, in this process: what it leaves, and where the next attempt goes on."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from penstock.foundation.database import DatabaseUnavailable
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.progress import Collected, PartDone, Progress
from penstock.services.queue.running import leases
from penstock.services.queue.worker import remove_leftovers
from tests.support.api import Api
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import new_on_one_database
from tests.unit.services.queue.own_components import claim, create_job, execute, messages

CONFIGS = "/v2/storage/components/ex-generic-v2/configs"


def create(services: ServicesOnly, **wish: Any) -> str:
    return create_job(services, "ex-generic-v2", **wish)


def run(services: ServicesOnly, **wish: Any) -> dict[str, Any]:
    create(services, **wish)
    return execute(services, claim(services))


def collected(services: ServicesOnly, job: JobRow, files: dict[str, str]) -> JobRow:
    """The job as a worker leaves it that died after the component was done."""
    tables = services.stack.jobs_folder / str(job.id) / "0" / str(job.attempt) / "out" / "tables"
    tables.mkdir(parents=True)
    for name, content in files.items():
        (tables / name).write_text(content)
    leases.record_progress(
        services.stack, job, Progress(collected=Collected(part=0, attempt=job.attempt, done=PartDone()))
    )
    with services.stack.database.writing() as tx:
        tx.change(text("UPDATE queue_jobs SET lease_until = '2000-01-01 00:00:00.000000'"))
    return claim(services)


def preview(services: ServicesOnly, table_id: str) -> list[str]:
    response = services.service("storage").get(f"/v2/storage/tables/{table_id}/data-preview")
    return sorted(response.text.splitlines()[1:])


def api_parameters(api: Api, **more: Any) -> dict[str, Any]:
    config = {"outputBucket": "test", "jobs": [{"endpoint": "items", "dataField": "items"}]}
    return {"parameters": {"api": {"baseUrl": api.url, **more}, "config": config}}


def test_a_sample_ends_in_success_with_its_table(services: ServicesOnly) -> None:
    job = run(services, config="sample-customers")

    assert job["status"] == "success", job["result"]
    assert job["result"]["message"] == "Component processing finished."
    assert job["result"]["configVersion"] == "1"
    assert {table["id"] for table in job["result"]["output"]["tables"]} >= {"in.c-sample.customers"}
    assert (job["isFinished"], job["endTime"] is None, job["startTime"] is None) == (True, False, False)
    assert messages(services, job)[-1] == "Component processing finished."
    assert not (services.stack.jobs_folder / job["id"]).exists()


def test_the_next_attempt_only_loads_what_was_collected(services: ServicesOnly) -> None:
    create(services, config="sample-customers")
    files = {"a.csv": "id\n1\n", "a.csv.manifest": json.dumps({"destination": "in.c-main.a"})}
    job = execute(services, collected(services, claim(services), files))

    assert job["status"] == "success", job["result"]
    assert preview(services, "in.c-main.a") == ['"1"']


@new_on_one_database
def test_two_files_may_go_into_one_table(services: ServicesOnly) -> None:
    create(services, config="sample-customers")
    manifest = json.dumps({"destination": "in.c-main.both", "incremental": True})
    files = {"a.csv": "id\n1\n", "b.csv": "id\n2\n", "a.csv.manifest": manifest, "b.csv.manifest": manifest}
    job = execute(services, collected(services, claim(services), files))

    assert job["status"] == "success", job["result"]
    assert preview(services, "in.c-main.both") == ['"1"', '"2"']


@new_on_one_database
@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"a.csv": "id,_timestamp\n1,2\n"}, 'System columns "_timestamp"'),
        ({"a.csv": "id\n1\n", "b.csv": "id,_timestamp\n1,2\n"}, 'System columns "_timestamp"'),
        ({"a.csv": "id\n1,2\n"}, "Row 2 has 2 fields; the file has 1 column"),
        ({"a.csv": "id\n1\n", "a.csv.manifest": '{"destination": "nowhere"}'}, 'Failed to load table "nowhere"'),
        ({"a.csv": "id\n1\n", "a.csv.manifest": '{"primary_key": ["key"]}'}, '"key"'),
        ({"a.csv": "id\n1\n", "a.csv.manifest": "{"}, 'The manifest "a.csv.manifest" cannot be read'),
        ({"a.csv.manifest": "{}"}, 'Found orphaned table manifest: "a.csv.manifest"'),
    ],
)
def test_output_that_cannot_be_loaded_ends_the_job_with_a_sentence(
    services: ServicesOnly, files: dict[str, str], sentence: str
) -> None:
    create(services, config="sample-customers")
    job = execute(services, collected(services, claim(services), files))

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert sentence in job["result"]["message"]
    assert services.service("storage").get("/v2/storage/tables").json == []


@new_on_one_database
def test_records_without_fields_are_left_out_with_a_warning(services: ServicesOnly) -> None:
    create(services, config="sample-customers")
    job = execute(services, collected(services, claim(services), {"a.csv": "\n\n", "b.csv": "id\n1\n"}))

    assert job["status"] == "success", job["result"]
    assert [table["name"] for table in services.service("storage").get("/v2/storage/tables").json] == ["b"]


@new_on_one_database
def test_a_configuration_that_is_wrong_is_the_users_error(services: ServicesOnly) -> None:
    job = run(services, configData={"parameters": {"api": {}}})

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert "The 'config' section is required in the configuration." in job["result"]["message"]


@new_on_one_database
def test_a_cipher_of_another_component_says_so_only_here(services: ServicesOnly) -> None:
    job = run(services, configData={"parameters": {"#password": "KBC::ProjectSecure::AAAA"}})

    assert job["status"] == "error"
    assert "The encrypted value at `parameters.#password` cannot be decrypted here" in job["result"]["message"]


@new_on_one_database
def test_secrets_are_opened_for_the_component_and_hidden_in_its_log(services: ServicesOnly) -> None:
    with Api() as api:
        api.on("/items", {"items": [{"id": 1}]})
        document = api_parameters(api)
        document["parameters"]["config"] |= {"debug": True}
        document["parameters"]["config"]["jobs"][0]["params"] = {"token": "canary-log-41", "#unused": "canary-log-41"}
        job = run(services, configData=document)

    assert job["status"] == "success", job["result"]
    assert api.asked("/items") != []
    assert not any("canary-log-41" in message for message in messages(services, job))
    assert "canary-log-41" not in json.dumps(job["result"])


@new_on_one_database
def test_secrets_of_the_state_are_hidden_too(services: ServicesOnly) -> None:
    with Api() as api:
        api.on("/canary-state-87", {"items": [{"id": 1}]})
        document = api_parameters(api)
        document["parameters"]["config"] |= {"debug": True}
        document["parameters"]["config"]["jobs"][0]["endpoint"] = "canary-state-87"
        wish = {"name": "x", "configurationId": "x", "configuration": document}
        state = {"component": {"#remembered": "canary-state-87"}}
        services.service("storage").post(CONFIGS, {**wish, "state": state})
        job = run(services, config="x")

    assert api.asked("/canary-state-87") == [""]
    assert any("[hidden]" in message for message in messages(services, job))
    assert not any("canary-state-87" in message for message in messages(services, job))


def test_a_revoked_token_ends_its_jobs(services: ServicesOnly) -> None:
    storage = services.service("storage")
    token = storage.post("/v2/storage/tokens", {"canManageBuckets": True, "canCreateJobs": True}).json
    services.service("queue", token["token"]).post("/jobs", {"component": "ex-generic-v2", "config": "sample-orders"})
    storage.delete(f"/v2/storage/tokens/{token['id']}")
    job = execute(services, claim(services))

    assert job["status"] == "error"
    assert "token" in job["result"]["message"]


def test_a_configuration_that_was_changed_while_its_job_waited_is_told(services: ServicesOnly) -> None:
    create(services, config="sample-customers")
    changed = services.service("storage").put(f"{CONFIGS}/sample-customers", {"description": "another one"})
    job = execute(services, claim(services))

    assert changed.status == 200, changed.text
    assert job["status"] == "success", job["result"]
    assert job["result"]["configVersion"] == "2"
    told = "The configuration was changed after the job was created: version 2 runs, not 1."
    assert told in messages(services, job)


def test_a_configuration_that_was_deleted_while_its_job_waited_ends_it_with_a_sentence(services: ServicesOnly) -> None:
    create(services, config="sample-customers")
    assert services.service("storage").delete(f"{CONFIGS}/sample-customers").status == 204
    job = execute(services, claim(services))

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert "sample-customers" in job["result"]["message"]


@new_on_one_database
def test_a_token_that_may_not_write_the_bucket_ends_in_an_error(services: ServicesOnly) -> None:
    token = services.service("storage").post("/v2/storage/tokens", {"componentAccess": ["ex-generic-v2"]}).json["token"]
    services.service("queue", token).post("/jobs", {"component": "ex-generic-v2", "config": "sample-orders"})
    job = execute(services, claim(services))

    assert job["status"] == "error"
    assert "You don't have access to the resource." in job["result"]["message"]
    assert services.service("storage").get("/v2/storage/buckets").json == []


@new_on_one_database
def test_a_token_that_manages_buckets_and_nothing_else_runs_a_component(services: ServicesOnly) -> None:
    token = services.service("storage").post("/v2/storage/tokens", {"canManageBuckets": True}).json["token"]
    queue = services.service("queue", token)
    created = queue.post("/jobs", {"component": "ex-generic-v2", "config": "sample-orders"})
    assert created.status == 201, created.text
    execute(services, claim(services))

    assert queue.get(f"/jobs/{created.json['id']}").json["status"] == "success"


def test_a_database_that_is_away_leaves_the_job_to_the_next_attempt(services: ServicesOnly) -> None:
    job_id = create(services, config="sample-orders")
    job = claim(services)
    with services.stack.database.writing() as tx:
        tx.change(text("ALTER TABLE storage_tokens RENAME TO away"))
    with pytest.raises(DatabaseUnavailable):
        execute(services, job)
    with services.stack.database.writing() as tx:
        tx.change(text("ALTER TABLE away RENAME TO storage_tokens"))

    assert services.service("queue").get(f"/jobs/{job_id}").json["status"] == "processing"


@new_on_one_database
def test_folders_of_ended_jobs_are_removed(services: ServicesOnly) -> None:
    kept = create(services, config="sample-orders")
    for name in (kept, "99999", "stray"):
        (services.stack.jobs_folder / name / "1").mkdir(parents=True)
    remove_leftovers(services.stack)

    assert [path.name for path in services.stack.jobs_folder.iterdir()] == [kept]


@new_on_one_database
def test_the_id_of_a_defect_is_logged_with_its_traceback(
    services: ServicesOnly, caplog: pytest.LogCaptureFixture
) -> None:
    create(services, config="sample-customers")
    broken = msgspec.structs.replace(claim(services), config_data=b"{")

    error = execute(services, broken)["result"]["error"]

    [record] = [record for record in caplog.records if record.message == "job failed"]
    assert (error["type"], error["exceptionId"]) == ("application", vars(record)["facts"]["exception_id"])
    assert record.exc_info
