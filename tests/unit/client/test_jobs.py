"""The client's jobs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.client import Client, Job, JobWish, RequestRefused
from tests.support.api import Api, Response

TAG = "1.0.0"
"""The version of the bundled component."""


def test_a_job_is_made_found_and_stopped(client: Client) -> None:
    wish = JobWish(mode="run", component="ex-generic-v2", config_data={"parameters": {}}, config="client-jobs", tag=TAG)
    made = client.jobs.create(wish)
    client.jobs.terminate(made.id)
    found = client.jobs.search({"configId": ["client-jobs", "other"], "limit": 5})

    assert [(job.id, job.tag) for job in found] == [(made.id, TAG)]
    with pytest.raises(RequestRefused, match="killable"):
        client.jobs.terminate(client.wait(made).id)


def test_a_flow_is_retried_from_where_it_failed(visitor: Client, pretender: Api) -> None:
    pretender.on("/q/jobs", Response.json({"id": "8", "status": "created", "component": "c"}, 201))
    flow = Job(id="7", status="error", component="c", config="1", type="orchestrationContainer")
    visitor.jobs.retry(flow)
    visitor.jobs.retry(Job(id="7", status="error", component="c", config="1", config_row_ids=["r"]))

    partial: dict[str, Any] = {"type": flow.type, "only_orchestration_task_ids": ["t"], "executor": "dind"}
    visitor.jobs.retry(Job(id="7", status="success", component="c", config="1", **partial))

    sent = [json.loads(request.body) for request in pretender.seen if request.method == "POST"]
    assert sent[0] == {"mode": "run", "component": "c", "config": "1", "previousJobId": "7"}
    assert sent[1] == {"mode": "run", "component": "c", "config": "1", "configRowIds": ["r"]}
    assert "previousJobId" not in sent[2], "all of it succeeded, so that nothing would run"
    assert (sent[2]["onlyOrchestrationTaskIds"], sent[2]["executor"]) == (["t"], "dind")


def test_the_tasks_of_a_flow_are_read() -> None:
    tasks = [{"id": "t1", "name": "load", "status": "success", "jobId": "9", "duration": 3, "more": {}}]

    assert [task.job_id for task in Job(id="7", status="s", component="c", result={"tasks": tasks}).tasks] == ["9"]
    assert Job(id="7", status="s", component="c", result=[]).tasks == []
