"""What is asked of the queue for a task: its own settings, those of the flow's job, and the flow's variables."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from penstock.components.catalogue import find_component
from penstock.foundation.secrets import Scope
from penstock.services.queue.flows import variables
from penstock.services.queue.flows.task_jobs import Start, to_request
from penstock.services.queue.flows.tasks import JobTask
from penstock.services.queue.flows.work import Work
from penstock.services.queue.models.requests import NewJob
from penstock.services.queue.models.statuses import Status
from tests.unit.services.queue.flows.world import EXTRACTOR, FLOW, World, job_task, phase

TASK = {"componentId": EXTRACTOR, "configId": "a"}


@pytest.fixture
def world(world: World) -> World:
    world.configure("a")
    world.save(FLOW, "f", {"phases": [phase("p")], "tasks": [job_task("t", "p", "a")]})
    return world


def ask(world: World, task: dict[str, Any], flow: dict[str, Any] | None = None, **start: Any) -> NewJob:
    job = world.find(world.start(FLOW, "f", **(flow or {})))
    wanted = msgspec.convert({**TASK, **task}, JobTask)
    with world.stack.database.writing() as tx:
        work = Work(tx, world.stack, job)
        return to_request(work, Start(task_id="t", phase_id="p", wanted=wanted, flow=job, hosts="", **start))


def test_a_task_says_what_its_job_is(world: World) -> None:
    asked = ask(
        world,
        {"configRowIds": [1, "2"], "mode": "debug", "tag": "5.0", "delay": 30, "backend": "small", "parallelism": 2},
    )

    assert (asked.component, asked.config, asked.config_row_ids, asked.mode) == (EXTRACTOR, "a", ["1", "2"], "debug")
    assert (asked.tag, asked.delay, asked.backend, asked.parallelism) == ("5.0", 30, {"type": "small"}, 2)
    assert (asked.orchestration_task_id, asked.orchestration_phase_id) == ("t", "p")
    assert asked.orchestration_job_id
    assert asked.behavior is None


def test_what_the_flows_job_was_given_goes_before_what_the_task_says(world: World) -> None:
    asked = ask(
        world,
        {"tag": "5.0", "backend": {"type": "small", "context": "x"}, "variableValuesId": "7"},
        {"tag": "6.0", "backend": {"type": "large"}, "variable_values_id": "8"},
    )

    assert (asked.tag, asked.backend) == ("6.0", {"type": "large", "context": "x"})
    assert asked.variable_values_id == "8"


def test_the_tag_of_the_flow_itself_is_not_passed_on(world: World) -> None:
    assert ask(world, {"tag": "5.0"}, {"tag": "1.0.0"}).tag == "5.0"
    assert ask(world, {}, {"tag": "1.0.0"}).tag is None


def test_a_failure_that_is_passed_over_is_a_warning(world: World) -> None:
    assert ask(world, {}, is_tolerated=True).behavior == {"onError": "warning"}
    assert ask(world, {"behavior": {"onError": "stop"}}).behavior == {"onError": "stop"}


def test_variables_of_a_flow_go_only_to_configurations_that_declare_them(world: World) -> None:
    asked = ask(world, {"variableValuesId": "7"}, variables={"x": "1"})

    assert (asked.variable_values_id, asked.variable_values_data) == ("7", None)


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ({}, {"x": "1", "y": "9", "z": "3"}),
        ({"variableOverrides": ["y"]}, {"y": "9", "z": "3"}),
        ({"variableOverrides": ["z"]}, {"y": "9", "z": "3"}),
    ],
)
def test_values_are_laid_over_each_other_by_name(task: dict[str, Any], expected: dict[str, str]) -> None:
    given = {"values": [{"name": "y", "value": 9}, {"name": "z", "value": "3"}]}
    wanted = msgspec.convert({**TASK, **task}, JobTask)

    assert variables.lay_over(wanted, given, {"x": "1", "y": "2"}) == expected


def test_merged_values_keep_what_was_not_set() -> None:
    before = {"values": [{"name": "a", "value": 1}, {"name": "b", "value": True}]}
    merged = variables.merge(before, {"b": "2", "c": "3"})

    assert variables.to_values(merged) == {"a": "1", "b": "2", "c": "3"}
    assert variables.keep_declared({"a": "1", "x": "2"}, variables.list_names([{"name": "a"}, 7])) == {"a": "1"}


def test_secrets_in_a_task_are_sealed_anew_for_its_component(world: World) -> None:
    data = {"parameters": {"api": {"baseUrl": "https://api.example.com/"}, "config": {"#token": "s3cret"}}}
    task = {"type": "job", "componentId": EXTRACTOR, "configData": data, "mode": "run"}
    tasks = [{"id": "t", "name": "t", "phase": "p", "task": task}]
    world.save(FLOW, "secrets", {"phases": [phase("p")], "tasks": tasks})
    flow = world.start(FLOW, "secrets")
    job = world.claim()

    assert job
    assert job.parent_id == flow
    assert b"s3cret" not in (job.config_data or b"")
    scope = Scope(job.project_id, EXTRACTOR, "api.example.com")
    sealed = msgspec.json.decode(job.config_data or b"")
    assert _open(world, sealed, scope)["parameters"]["config"]["#token"] == "s3cret"
    assert b"s3cret" not in (world.find(flow).progress or b"")


def _open(world: World, sealed: dict[str, Any], scope: Scope) -> dict[str, Any]:
    component = find_component(EXTRACTOR)
    assert component
    return world.stack.cipher.decrypt(sealed, msgspec.structs.replace(scope, hosts=component.hosts_of(sealed)))


def test_a_secret_does_not_follow_a_task_to_another_host(world: World) -> None:
    data = {"parameters": {"api": {"baseUrl": "https://api.example.com/"}, "config": {"#token": "s3cret"}}}
    task = {"type": "job", "componentId": EXTRACTOR, "configData": data, "mode": "run"}
    document = {"phases": [phase("p")], "tasks": [{"id": "t", "name": "t", "phase": "p", "task": task}]}
    world.save(FLOW, "secrets", document)
    path = f"/v2/storage/components/{FLOW}/configs/secrets"
    stored: dict[str, Any] = world.storage.get(path).json["configuration"]
    stored["tasks"][0]["task"]["configData"]["parameters"]["api"]["baseUrl"] = "https://evil.example.com/"
    assert world.storage.put(path, {"configuration": stored}).status == 200
    flow = world.start(FLOW, "secrets")

    assert world.claim() is None
    assert world.find(flow).status is Status.ERROR
    assert "s3cret" not in str(world.result(flow))


def test_nobody_is_told_of_what_is_tried_in_a_branch(world: World) -> None:
    recipients = [{"channel": "webhook", "address": "https://hooks.example.com/ops"}]
    note = {"type": "notification", "title": "Done", "recipients": recipients}
    document = {"phases": [phase("p")], "tasks": [{"id": "n", "name": "n", "phase": "p", "task": note}]}
    world.save(FLOW, "note", document)
    main = world.start(FLOW, "note")
    world.work()
    data = msgspec.json.encode(document)
    branch = world.start(FLOW, "note", branch_id=world.find(main).branch_id + 1000, config_data=data)
    world.work()

    assert [event["message"] for event in world.events(main)] == ["Done", "Flow finished."]
    assert world.find(branch).status is Status.SUCCESS
    assert "Done" not in [event["message"] for event in world.events(branch)]


@pytest.mark.parametrize(
    ("recipients", "why"),
    [
        (["nobody"], '"nobody" is not a valid e-mail address'),
        ([{"channel": "webhook", "address": "example.com/hook"}], "The address of the webhook is not valid"),
    ],
)
def test_a_notification_that_cannot_be_sent_is_an_error(world: World, recipients: list[Any], why: str) -> None:
    note = {"type": "notification", "title": "Done", "recipients": recipients}
    world.save(FLOW, "lost", {"phases": [phase("p")], "tasks": [{"id": "n", "name": "n", "phase": "p", "task": note}]})
    flow = world.start(FLOW, "lost")
    world.work()

    assert world.find(flow).status is Status.ERROR
    assert why in world.show(flow)["result"]["message"]
    assert "Done" not in [event["message"] for event in world.events(flow)]
