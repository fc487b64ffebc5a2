"""Components whose program is an image: refused when a job of them is created, unless a container engine answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.running import leases
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.portal import Portal
from tests.unit.services.each_database import on_one_database
from tests.unit.services.queue.own_components import claim, create_job, execute, messages

IMAGE = {"type": "dockerhub", "uri": "acme/tool", "tag": "1.0.0"}
STOPPED = "#!/bin/sh\necho 'Cannot connect to the daemon.' >&2\nexit 1\n"

pytestmark = on_one_database


@pytest.fixture
def image(shared: ServicesOnly) -> str:
    """The id of a published component."""
    app = Portal(shared).make_vendor().create_app(repository=IMAGE, actions=["test"])
    app.approve()
    return app.id


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def add_command(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


def post(services: ServicesOnly, component_id: str) -> Response:
    return services.service("queue").post("/jobs", {"component": component_id, "configData": {}})


@pytest.mark.usefixtures("commands")
def test_a_job_without_an_engine_is_refused_with_what_to_do(shared: ServicesOnly, image: str) -> None:
    refused = post(shared, image)

    assert refused.status == 400
    assert "acme/tool" in refused.json["error"]
    assert "none of docker, podman or nerdctl is installed here" in refused.json["error"]
    assert 'launcher = "auto" or "container"' in refused.json["error"]
    assert shared.service("queue").get(f"/search/jobs?component={image}").json == []


@pytest.mark.usefixtures("commands")
@pytest.mark.parametrize("place", ["configData", "configuration", "row"])
def test_a_processor_without_an_engine_is_refused_when_the_job_is_created(shared: ServicesOnly, place: str) -> None:
    app = Portal(shared).make_vendor().create_app(repository=IMAGE, type="processor")
    app.approve()
    document = {"processors": {"after": [{"definition": {"component": app.id}}]}}
    wanted: dict[str, object] = {"component": "ex-generic-v2", "configData": document}
    if place != "configData":
        wanted = {"component": "ex-generic-v2", "config": store(shared, document, in_row=place == "row")}

    refused = shared.service("queue").post("/jobs", wanted)

    assert refused.status == 400
    assert "the image acme/tool" in refused.json["error"]
    assert "Install or start Docker, Podman or nerdctl" in refused.json["error"]


def store(services: ServicesOnly, document: Mapping[str, object], *, in_row: bool) -> str:
    """The id of a new configuration that has the document, itself or in its row."""
    http, configs = services.service("storage"), "/v2/storage/components/ex-generic-v2/configs"
    config_id = http.post(configs, {"name": "x", "configuration": {} if in_row else document}).json["id"]
    if in_row:
        assert http.post(f"{configs}/{config_id}/rows", {"name": "x", "configuration": document}).status == 201
    return config_id


def test_an_engine_that_does_not_run_is_named_in_the_refusal(shared: ServicesOnly, image: str, commands: Path) -> None:
    add_command(commands, "docker", STOPPED)
    refused = post(shared, image)

    assert refused.status == 400
    assert "docker is installed, but its engine cannot be used (Cannot connect to the daemon)" in refused.json["error"]


def test_a_job_is_created_where_an_engine_answers(shared: ServicesOnly, image: str, commands: Path) -> None:
    add_command(commands, "nerdctl", "#!/bin/sh\nexit 0\n")

    assert post(shared, image).status == 201


def test_it_runs_in_a_container_where_an_engine_answers_without_a_setting(
    shared: ServicesOnly, commands: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = Portal(shared).make_vendor().create_app(repository={**IMAGE, "digest": f"sha256:{'a' * 64}"})
    app.approve()
    monkeypatch.setenv("HOME", str(commands))
    add_command(commands, "podman", '#!/bin/sh\necho "$@" >> "$HOME/asked"\ntest "$1" != run || echo Hello.\n')
    job_id = create_job(shared, app.id, configData={})
    job = execute(shared, claim_one(shared, job_id), shared.stack.settings.launcher)

    assert job["status"] == "success", job["result"]
    assert "Hello." in messages(shared, job)
    assert any(line.startswith("run ") and "acme/tool" in line for line in (commands / "asked").read_text().split("\n"))


def claim_one(services: ServicesOnly, job_id: str) -> JobRow:
    """After those of other tests."""
    while (job := claim(services)).id != int(job_id):
        pass
    return job


@pytest.mark.usefixtures("commands")
def test_an_action_without_an_engine_is_refused_with_what_to_do(shared: ServicesOnly, image: str) -> None:
    wanted = {"componentId": image, "action": "test", "configData": {}}
    refused = shared.service("sync-actions").post("/actions", wanted)

    assert refused.status == 400
    assert "none of docker, podman or nerdctl is installed here" in refused.json["error"]


@pytest.mark.usefixtures("commands")
def test_a_task_of_a_flow_without_an_engine_fails_before_it_is_a_job(shared: ServicesOnly, image: str) -> None:
    task = {"type": "job", "componentId": image, "mode": "run", "configData": {}}
    flow = {
        "phases": [{"id": "p", "name": "p"}],
        "tasks": [{"id": "t", "name": "t", "phase": "p", "task": task}],
    }
    made = shared.service("queue").post("/jobs", {"component": "keboola.flow", "configData": flow})
    assert made.status == 201, made.text
    job = claim_one(shared, made.json["id"])
    leases.begin_flow(shared.stack, job)

    ended = shared.service("queue").get(f"/jobs/{job.id}").json
    assert ended["status"] == "error"
    events = shared.service("storage").get(f"/v2/storage/events?runId={job.id}").json
    assert any("none of docker, podman or nerdctl is installed here" in event["message"] for event in events)
    assert shared.service("queue").get(f"/search/jobs?component={image}").json == []
