"""A flow of five tasks in three phases, with a condition, a failing task and a retry, shown in its result."""

from __future__ import annotations

from tests.unit.services.queue.flows.world import BAD, FINE, FLOW, World, is_status, job_task, phase, step

TWICE = {"strategyParams": {"maxRetries": 1, "delay": 0}}
STORY = {
    "phases": [
        phase("extract", next=[step("repair", is_status("orders", "error")), step("load")]),
        phase("repair", next=[step("load")]),
        phase("load"),
    ],
    "tasks": [
        job_task("customers", "extract", "customers", retry=TWICE),
        job_task("orders", "extract", "orders"),
        job_task("mend", "repair", "mend"),
        job_task("write", "load", "write"),
        {
            "id": "told",
            "name": "Told",
            "phase": "load",
            "task": {
                "type": "notification",
                "recipients": [{"channel": "webhook", "address": "https://hooks.example.com/loaded"}],
                "title": "Loaded",
                "message": "All is there.",
            },
        },
    ],
}


def test_a_flow_with_a_condition_a_failure_and_a_retry_is_shown_in_its_result(world: World) -> None:
    world.configure("customers", "orders", "mend", "write")
    world.save(FLOW, "nightly", STORY)
    flow = world.start(FLOW, "nightly")
    world.work_with(customers=[BAD, FINE], orders=BAD)
    job = world.show(flow)

    assert world.ran == ["orders", "customers", "customers", "mend", "write"]
    assert (job["status"], job["isFinished"]) == ("warning", True)
    result = job["result"]
    assert "The API said no." in result["message"]
    assert [(one["id"], one["status"]) for one in result["phases"]] == [
        ("extract", "error"),
        ("repair", "success"),
        ("load", "success"),
    ]
    shown = {task["id"]: task for task in result["tasks"]}
    assert {name: task["status"] for name, task in shown.items()} == {
        "customers": "success",
        "orders": "error",
        "mend": "success",
        "write": "success",
        "told": "success",
    }
    assert [one["status"] for one in shown["customers"]["results"]] == ["error", "success"]
    assert shown["orders"]["results"][0]["result"]["message"] == "The API said no."
    assert (shown["told"]["type"], shown["told"]["results"]) == ("notification", [])
    for task in (shown["customers"], shown["orders"], shown["mend"], shown["write"]):
        assert isinstance(task["jobId"], str)
        assert isinstance(task["duration"], int)
        assert (task["type"], task["component"]) == ("job", "ex-generic-v2")
        assert all(isinstance(one["jobId"], str) for one in task["results"])


def test_a_notification_is_sent_and_is_an_event(world: World) -> None:
    world.configure("customers", "orders", "mend", "write")
    world.save(FLOW, "nightly", STORY)
    flow = world.start(FLOW, "nightly")
    world.work()
    [told] = [event for event in world.events(flow) if event["message"].startswith("Loaded")]

    assert (told["type"], told["message"]) == ("info", "Loaded\nAll is there.")
    assert told["params"]["recipients"] == [{"channel": "webhook", "address": "https://hooks.example.com/loaded"}]
    assert world.show(flow)["status"] == "success"
    [delivery] = world.services.service("notification").get("/deliveries").json
    assert (delivery["event"], delivery["status"]) == ("direct-project-webhook", "created")
    assert delivery["recipient"]["url"] == "https://hooks.example.com/loaded"


def test_an_e_mail_without_an_smtp_server_is_an_error_of_its_task(world: World) -> None:
    recipients = ["ops@example.com", {"channel": "webhook", "address": "https://hooks.example.com/"}]
    told = {"type": "notification", "title": "Loaded", "recipients": recipients}
    tasks = [{"id": "told", "name": "Told", "phase": "load", "task": told}]
    world.save(FLOW, "nightly", {"phases": [phase("load")], "tasks": tasks})
    flow = world.start(FLOW, "nightly")
    world.work()
    job = world.show(flow)

    assert job["status"] == "error"
    assert "smtp_host" in str(job["result"])
    assert world.services.service("notification").get("/deliveries").json == []


def test_the_run_ids_of_a_flow_are_nested(world: World) -> None:
    world.configure("customers", "orders", "mend", "write")
    world.save(FLOW, "nightly", STORY)
    flow = world.start(FLOW, "nightly")
    world.work()
    retried = world.children(flow)[0]
    [attempt] = world.children(retried.id)

    assert retried.run_id == f"{flow}.{retried.id}"
    assert attempt.run_id == f"{flow}.{retried.id}.{attempt.id}"
    assert world.find(flow).worker is None
