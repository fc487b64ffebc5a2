"""Approval of versions: another program than the one that was looked at does not run in the projects of others."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from penstock.components.component import Component
from penstock.services.developer import interface as developer
from penstock.services.queue.execution.launching import find_image
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.portal import App, Portal, make_archive
from tests.unit.services.developer.registry.images import open_registry
from tests.unit.services.each_database import emptied
from tests.unit.services.queue.own_components import claim, execute, messages, run

OUTPUT = {"storage": {"output": {"tables": [{"source": "made.csv", "destination": "in.c-made.made"}]}}}
IMAGE = {"type": "dockerhub", "uri": "docker.io/acme/app", "tag": "1.0.0"}
DIGEST = f"sha256:{'ab' * 32}"


@pytest.fixture
def app(portal: Portal) -> App:
    """An approved component at 1.0.0, whose vendor has published 2.0.0 since."""
    made = portal.make_vendor().create_app()
    made.publish("1.0.0")
    made.approve()
    made.publish("2.0.0")
    return made


@pytest.fixture(autouse=True)
def no_other_jobs(shared: ServicesOnly) -> None:
    emptied(shared, "queue_jobs")


def change_vendor(app: App, **fields: Any) -> Response:
    path, body = f"/vendors/{app.vendor.id}", json.dumps(fields).encode()
    return app.vendor.portal.admin.send("PATCH", path, body, {"Content-Type": "application/json"})


def find(services: ServicesOnly, app: App, tag: str = "") -> Component:
    with services.stack.database.reading() as tx:
        component = developer.find_component(tx, app.id, tag)
    assert component
    return component


def run_tag(services: ServicesOnly, app: App, **wish: Any) -> str:
    job = run(services, app.id, **({"configData": OUTPUT} | wish))
    assert job["status"] == "success"
    assert job["tag"] in messages(services, job)
    return job["tag"]


def approve(app: App, version: int) -> Response:
    return app.vendor.portal.admin.post(f"/admin/apps/{app.id}/versions/{version}/approve")


def reject(app: App, version: int) -> Response:
    path = f"/admin/apps/{app.id}/versions/{version}/reject"
    return app.vendor.portal.admin.post(path, {"reason": "It sends the tables elsewhere."})


def test_projects_stay_at_the_approved_version_until_the_next_one_is(shared: ServicesOnly, app: App) -> None:
    shown = shared.service("storage").get(f"/v2/storage/components/{app.id}").json
    before = run_tag(shared, app)
    approved = approve(app, 3)

    assert before == shown["data"]["definition"]["tag"] == "1.0.0"
    assert (approved.status, approved.json["approvedVersion"]) == (200, 3)
    assert run_tag(shared, app) == "2.0.0"


@pytest.mark.parametrize("place", ["request", "configData", "configuration"])
def test_no_project_names_a_version_that_waits(shared: ServicesOnly, app: App, place: str) -> None:
    pinned, wish = {"runtime": {"tag": "2.0.0"}}, dict[str, Any]({"configData": {}, "tag": "2.0.0"})
    if place == "configData":
        wish = {"configData": pinned}
    elif place == "configuration":
        path = f"/v2/storage/components/{app.id}/configs"
        made = shared.service("storage").post(path, {"name": "x", "configuration": pinned})
        wish = {"config": made.json["id"]}
    refused = shared.service("queue").post("/jobs", {"component": app.id, **wish})

    assert refused.status == 422
    assert refused.json["error"] == (
        f'The version of the component "{app.id}" with the tag "2.0.0" waits for the approval of an administrator. '
        "Use one of: 1.0.0. Without a tag, the newest of them that is approved runs."
    )


def test_a_synchronous_action_runs_no_version_that_waits(shared: ServicesOnly, portal: Portal) -> None:
    app = portal.make_vendor().create_app()
    for number in (1, 2):
        command = ["python", "-c", f"print('{{\"version\": {number}}}')"]
        app.publish(f"{number}.0.0", command=command, synchronous_actions=["tell"])
        if number == 1:
            app.approve()
    actions, wanted = shared.service("sync-actions"), {"componentId": app.id, "action": "tell", "configData": {}}

    assert actions.post("/actions", wanted).json == {"version": 1}
    assert actions.post("/actions", {**wanted, "tag": "2.0.0"}).status == 422


def test_a_processor_is_looked_up_with_its_tag_when_the_job_is_created(shared: ServicesOnly, portal: Portal) -> None:
    app = portal.make_vendor().create_app(type="processor")
    app.publish("1.0.0", type="processor")
    app.approve()
    app.publish("2.0.0", type="processor")

    def post(tag: str) -> Response:
        processors = {"after": [{"definition": {"component": app.id, "tag": tag}}]}
        wish = {"component": "ex-generic-v2", "configData": {"processors": processors}}
        return shared.service("queue").post("/jobs", wish)

    assert [post(tag).status for tag in ("1.0.0", "2.0.0", "9.9.9", "{{ tag }}")] == [201, 422, 422, 201]


def test_a_project_of_the_vendor_runs_the_version_that_waits(shared: ServicesOnly, app: App) -> None:
    project_id = shared.service("storage").get("/v2/storage/tokens/verify").json["owner"]["id"]
    body = json.dumps({"projects": [project_id]}).encode()
    own = app.vendor.client.send("PATCH", f"/vendors/{app.vendor.id}", body, {"Content-Type": "application/json"})
    changed = change_vendor(app, projects=[project_id])

    assert own.status == 422  # only an administrator says which projects those are
    assert (changed.status, changed.json["projects"]) == (200, [project_id])
    assert "projects" not in app.vendor.portal.anyone.get(f"/vendors/{app.vendor.id}").json
    assert run_tag(shared, app) == "2.0.0"
    assert run_tag(shared, app, tag="1.0.0") == "1.0.0"


def test_versions_of_a_vendor_that_is_approved_as_such_need_no_other_look(shared: ServicesOnly, app: App) -> None:
    assert change_vendor(app, approval="vendor").json["approval"] == "vendor"
    app.publish("3.0.0")

    assert (app.get()["approvedVersion"], run_tag(shared, app)) == (4, "3.0.0")


def test_vendor_and_administrator_are_told_of_a_version_that_waits(app: App) -> None:
    shown, admin = app.get(), app.vendor.portal.admin
    waiting = [each["id"] for each in admin.get("/admin/changes").json]
    versions = app.vendor.client.get(f"{app.path}/versions").json
    public = app.vendor.portal.anyone.get(f"/apps/{app.id}").json

    assert (shown["version"], shown["approvedVersion"], shown["isApproved"]) == (3, 2, True)
    assert shown["publishRequestedOn"]
    assert app.id in waiting
    assert [(each["version"], each["isApproved"]) for each in versions] == [(3, False), (2, True), (1, False)]
    assert versions[0]["digest"] == f"sha256:{hashlib.sha256(make_archive(app.id, '2.0.0', '2.0.0')).hexdigest()}"
    assert public["repository"]["tag"] == "1.0.0"
    approve(app, 3)
    assert app.id not in [each["id"] for each in admin.get("/admin/changes").json]


def test_a_version_that_is_rejected_leaves_the_one_before(shared: ServicesOnly, app: App) -> None:
    approve(app, 3)
    rejected = reject(app, 3)

    assert (rejected.json["approvedVersion"], rejected.json["isApproved"]) == (2, True)
    assert app.get()["publishRejection"] == "It sends the tables elsewhere."
    assert run_tag(shared, app) == "1.0.0"
    assert reject(app, 2).json["isApproved"] is False
    assert shared.service("queue").post("/jobs", {"component": app.id, "configData": {}}).status == 400
    app.approve()
    refused = shared.service("queue").post("/jobs", {"component": app.id, "configData": {}, "tag": "1.0.0"})
    assert (refused.status, run_tag(shared, app)) == (422, "2.0.0")


def test_a_job_whose_version_was_rejected_meanwhile_does_not_run_it(shared: ServicesOnly, app: App) -> None:
    approve(app, 3)
    queued = shared.service("queue").post("/jobs", {"component": app.id, "configData": OUTPUT, "tag": "2.0.0"})
    assert queued.status == 201
    reject(app, 3)
    job = execute(shared, claim(shared))

    assert (job["id"], job["status"], job["result"]["error"]["type"]) == (queued.json["id"], "error", "user")
    assert "waits for the approval of an administrator" in job["result"]["message"]
    assert "2.0.0" not in messages(shared, job)


def test_an_administrator_who_changes_a_text_approves_no_program(app: App) -> None:
    admin, path = app.vendor.portal.admin, f"/admin/apps/{app.id}"
    body = json.dumps({"requiredMemory": "4g"}).encode()
    waits = admin.send("PATCH", path, body, {"Content-Type": "application/json"}).json
    approve(app, 4)
    keeps = admin.send("PATCH", path, body, {"Content-Type": "application/json"}).json

    assert (waits["version"], waits["approvedVersion"]) == (4, 2)
    assert (keeps["version"], keeps["approvedVersion"]) == (5, 5)


def test_a_vendor_rolls_back_to_an_approved_version_without_another_look(shared: ServicesOnly, app: App) -> None:
    back = app.vendor.client.post(f"{app.path}/versions/2/rollback").json
    again = app.vendor.client.post(f"{app.path}/versions/3/rollback").json

    assert (back["version"], back["approvedVersion"], back["publishRequestedOn"]) == (4, 4, None)
    assert (again["version"], again["approvedVersion"]) == (5, 4)
    assert run_tag(shared, app) == "1.0.0"


def test_the_version_that_projects_run_is_not_removed(app: App) -> None:
    refused = app.vendor.client.delete(f"{app.path}/versions/2")

    assert (refused.status, "the one that projects run" in refused.json["errorMessage"]) == (422, True)


def test_only_administrators_approve_versions(app: App) -> None:
    path = f"/admin/apps/{app.id}/versions/3"

    assert app.vendor.client.post(f"{path}/approve").status == 403
    assert app.vendor.client.post(f"{path}/reject", {"reason": "x"}).status == 403
    assert (approve(app, 99).status, reject(app, 99).status) == (404, 404)


def test_an_image_that_is_pushed_again_is_not_what_runs(shared: ServicesOnly, portal: Portal) -> None:
    app = portal.make_vendor().create_app()
    registry = open_registry(app)
    digest = registry.push("1.0.0")
    assert app.patch(repository={"tag": "1.0.0"}).json["repository"]["digest"] == digest
    app.approve()
    other = registry.push("1.0.0", b"another layer")
    component = find(shared, app)

    assert find_image(component) == f"{component.image}@{digest}"
    assert registry.http.delete(f"{registry.path}/manifests/{digest}").status == 403
    again = app.patch(repository={"tag": "1.0.0"}).json
    assert (again["repository"]["digest"], again["approvedVersion"]) == (other, 2)
    assert find(shared, app).digest == digest
    approve(app, 3)
    assert find(shared, app).digest == other


def test_an_image_elsewhere_is_fixed_by_the_digest_that_its_vendor_gives(shared: ServicesOnly, portal: Portal) -> None:
    app = portal.make_vendor().create_app(repository=IMAGE)
    assert app.patch(repository={"digest": "sha256:no"}).status == 422
    app.patch(repository={"digest": DIGEST})
    app.approve()

    assert find_image(find(shared, app)) == f"docker.io/acme/app@{DIGEST}"
    assert "digest" not in app.patch(repository={"tag": "1.1.0"}).json["repository"]
    assert find(shared, app).tag == "1.0.0"
    app.approve()
    assert find_image(find(shared, app)) == "docker.io/acme/app:1.1.0"


def test_a_tag_of_an_image_that_was_never_deployed_runs_only_for_a_vendor_that_is_trusted(
    shared: ServicesOnly, portal: Portal
) -> None:
    app = portal.make_vendor().create_app(repository={**IMAGE, "digest": DIGEST})
    app.approve()
    with pytest.raises(developer.NoSuchTag):
        find(shared, app, "evil")
    change_vendor(app, approval="vendor")

    assert find_image(find(shared, app, "next")) == "docker.io/acme/app:next"


def test_what_was_changed_after_the_request_is_approved_by_its_number_only(portal: Portal) -> None:
    """The vendor may change the app while an administrator looks at it."""
    app = portal.make_vendor().create_app()
    app.publish("1.0.0")
    request = f"{app.path}/publish"
    assert app.vendor.client.post(request).status == 200
    app.publish("1.0.1")
    assert app.vendor.client.post(request).status == 200
    refused = portal.admin.post(f"/admin/apps/{app.id}/publish")

    assert (refused.status, "is at version 3 now" in refused.json["errorMessage"]) == (409, True)
    assert portal.admin.post(request).status == 409
    assert approve(app, 3).json["approvedVersion"] == 3


def test_of_two_versions_that_wait_each_is_approved_by_its_number(app: App) -> None:
    app.publish("3.0.0")
    refused = app.vendor.portal.admin.post(f"/admin/apps/{app.id}/publish")

    assert (refused.status, approve(app, 3).json["approvedVersion"]) == (409, 3)
    assert app.vendor.portal.admin.post(f"/admin/apps/{app.id}/publish").status == 409
    assert approve(app, 4).json["approvedVersion"] == 4
