"""Explanations of jobs, made of their results, logs and configurations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_event, add_project
from tests.unit.services.queue.jobs import add_job, result_of
from tests.unit.services.queue.own_components import add_component, run

COMPONENT = "me.fails"


def explain(services: ServicesOnly, job_id: Any, token: str | None = None) -> Response:
    return services.service("ai", token).post("/explain", {"jobId": job_id, "error": "ignored"})


def answer(services: ServicesOnly, job_id: Any) -> str:
    response = explain(services, job_id)
    assert response.status == 201, response.text
    assert response.json.keys() == {"answer", "correlationId"}
    return response.json["answer"]


def limited(services: ServicesOnly, **rights: Any) -> str:
    body = {"description": "limited", **rights}
    return services.service("storage").post("/v2/storage/tokens", body).json["token"]


def configure(storage: Http, component: str, config_id: str, document: Any) -> None:
    body = {"name": f"Name of {config_id}", "configurationId": config_id, "configuration": document}
    assert storage.post(f"/v2/storage/components/{component}/configs", body).status == 201


def test_a_failed_job_is_explained_from_its_run(services: ServicesOnly, tmp_path: Path) -> None:
    script = """
    print("Opening the shop")
    print("The shop answered with status 401: the password is wrong.", file=sys.stderr)
    sys.exit(1)
    """
    add_component(services, tmp_path, COMPONENT, script)
    configure(services.service("storage"), COMPONENT, "shop", {"parameters": {"#password": "hunter2-canary"}})
    job = run(services, COMPONENT, config="shop")
    assert job["status"] == "error"

    text = answer(services, job["id"])
    assert text.startswith(
        f'Job {job["id"]} of `{COMPONENT}` with the configuration "Name of shop" (`shop`) failed. It says:\n\n'
        "> The shop answered with status 401: the password is wrong."
    )
    assert "The component has ended because of its configuration or of what it was given" in text
    assert "Opening the shop" in text
    assert "In the documentation:\n- [" in text
    assert "hunter2-canary" not in text
    assert answer(services, int(job["id"])) == text, "a number is as good as a text, and the answer is the same"


def test_a_component_that_breaks_is_a_case_for_the_operator(services: ServicesOnly, tmp_path: Path) -> None:
    add_component(services, tmp_path, COMPONENT, "sys.exit(2)")
    job = run(services, COMPONENT, configData={})

    text = answer(services, job["id"])
    assert f"give `{job['result']['error']['exceptionId']}` to the operator" in text
    assert "with a configuration of its own failed." in text


def test_what_a_job_says_depends_on_how_it_ended(shared: ServicesOnly) -> None:
    warned = add_job(shared, status="success", result=result_of("Done.", warnings=["Only 2 of 530 rows came."]))
    stopped = add_job(shared, status="terminated", result=result_of("Stopped."))
    waiting = add_job(shared)

    assert answer(shared, warned.id) == (
        f"Job {warned.id} of `ex-generic-v2` with a configuration of its own succeeded. It says:\n\n> Done.\n\n"
        "Warnings:\n- Only 2 of 530 rows came."
    )
    assert "was terminated." in answer(shared, stopped.id)
    assert "run it again if that was not intended" in answer(shared, stopped.id)
    assert answer(shared, waiting.id).endswith("waits for a worker.")


def test_the_log_is_quoted_on_one_line_each_and_bounded(shared: ServicesOnly) -> None:
    job = add_job(shared, status="error", result=result_of("It failed.", error={"type": "user", "exceptionId": "e"}))
    for number in range(30):
        add_event(shared, f"warning {number}\n# A heading?", type="warn", run_id=job.run_id)
    text = answer(shared, job.id)

    assert "- warning 29 # A heading?" in text
    assert "warning 19 " not in text
    assert "\n# A heading?" not in text


def test_the_configuration_that_changed_or_is_gone_is_mentioned(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    configure(storage, "ex-generic-v2", "changing", {"a": 1})
    job = add_job(shared, config="changing", status="error", result=result_of("No.", configVersion="1"))
    path = "/v2/storage/components/ex-generic-v2/configs/changing"
    assert storage.put(path, {"configuration": {"a": 2}, "isDisabled": True}).status == 200

    assert "It ran version 1 of its configuration, which has version 2 now" in answer(shared, job.id)
    assert "Its configuration is disabled." in answer(shared, job.id)
    assert storage.delete(path).status == 204
    assert "Its configuration does not exist any more" in answer(shared, job.id)


def test_tasks_of_a_flow_that_failed_are_named(shared: ServicesOnly) -> None:
    tasks = [
        {"id": "1", "name": "Load", "status": "success"},
        {"id": "2", "name": "Clean", "status": "error", "results": [{"result": {"message": "No such table."}}]},
    ]
    job = add_job(shared, component="keboola.flow", status="error", result=result_of("A task failed.", tasks=tasks))

    assert "Tasks that failed:\n- Clean: No such table." in answer(shared, job.id)


@pytest.mark.parametrize("job_id", ["999999", "nothing", "", "1\x00", 10**30])
def test_an_unknown_job_is_not_found(shared: ServicesOnly, job_id: Any) -> None:
    refused = explain(shared, job_id)

    assert (refused.status, refused.json["code"]) == (404, 404)


def test_a_job_is_explained_only_to_those_who_may_see_it(shared: ServicesOnly) -> None:
    job = add_job(shared, status="error", result=result_of("The secret plan failed."))
    add_event(shared, "A line of the master's log", run_id=job.run_id)

    assert explain(shared, job.id, limited(shared)).status == 404
    assert explain(shared, job.id, limited(shared, componentAccess=["kds-team.wr-generic"])).status == 404
    assert explain(shared, job.id, add_project(shared).token).status == 404
    seen = explain(shared, job.id, limited(shared, componentAccess=["ex-generic-v2"]))
    assert seen.status == 201
    assert "A line of the master's log" not in seen.json["answer"], "events are of the token that caused them"


def test_a_body_without_a_job_is_refused(shared: ServicesOnly) -> None:
    refused = shared.service("ai").post("/explain", {})

    assert refused.status == 422
    assert refused.json["context"] == [{"path": "jobId", "message": "The field `jobId` is missing."}]
