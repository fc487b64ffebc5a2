"""From a push to a job: the image of a version is the one that was pushed, and a worker finds it by its address."""

from __future__ import annotations

import json

import pytest

from penstock.services.developer import interface as developer
from tests.support.http import Http
from tests.unit.services.developer.portal import App, Portal
from tests.unit.services.developer.registry.images import LAYER, Registry, basic, digest_of, open_registry


@pytest.fixture
def app(portal: Portal) -> App:
    return portal.make_vendor().create_app()


def test_the_pipeline_of_a_component_pushes_and_deploys(portal: Portal, app: App) -> None:
    """Sign in, get the repository, push, change the tag: what the published scripts of components do."""
    username, password = portal.make_account(app.vendor.id)
    client = portal.sign_in(username, password)
    repository = client.get(f"{app.path}/repository").json
    registry = open_registry(app, client)
    registry.push("1.2.3")
    body = json.dumps({"repository": {"tag": "1.2.3", "type": "ecr"}}).encode()
    deployed = client.send("PATCH", app.path, body, {"Content-Type": "application/json"})

    image = f"{repository['registry']}/{repository['repository']}"
    assert deployed.status == 200
    assert (deployed.json["repository"]["uri"], deployed.json["repository"]["tag"]) == (image, "1.2.3")
    app.approve()
    with portal.services.stack.database.reading() as tx:
        component = developer.find_component(tx, app.id)
    assert component
    assert (component.image, component.tag) == (image, "1.2.3")
    shown = portal.services.service("storage").get(f"/v2/storage/components/{app.id}").json
    assert (shown["data"]["definition"]["uri"], shown["data"]["definition"]["tag"]) == (image, "1.2.3")


def test_a_worker_pulls_what_was_pushed_by_the_address_of_the_component(portal: Portal, app: App) -> None:
    open_registry(app).push("1.0.0")
    assert app.patch(repository={"tag": "1.0.0"}).status == 200
    app.approve()
    with portal.services.stack.database.reading() as tx:
        component = developer.find_component(tx, app.id)
    assert component
    authority, _, name = component.image.partition("/")
    credentials = developer.make_pull_credentials(portal.services.stack, component.id)
    worker = Registry(Http(f"http://{authority}", headers=basic(credentials.password)), name)

    manifest = worker.get(f"manifests/{component.tag}").json
    assert [each["digest"] for each in manifest["layers"]] == [digest_of(LAYER)]
    assert worker.get(f"blobs/{digest_of(LAYER)}").body == LAYER


def test_a_tag_that_was_not_pushed_is_not_deployed(app: App) -> None:
    refused = app.patch(repository={"tag": "9.9.9"})

    assert (refused.status, "has no image" in refused.json["errorMessage"]) == (422, True)
    assert app.get()["version"] == 1
    open_registry(app).push("1.0.0")
    assert app.patch(repository={"tag": "1.0.0"}).status == 200
    assert app.patch(repository={"tag": "1.0.1"}).status == 422


def test_an_image_elsewhere_stays_there_until_the_type_says_otherwise(app: App) -> None:
    elsewhere = {"type": "dockerhub", "uri": "docker.io/acme/app", "tag": "1"}
    assert app.patch(repository=elsewhere).status == 200

    assert app.patch(repository={"tag": "2"}).json["repository"]["uri"] == elsewhere["uri"]
    assert app.patch(repository={"tag": "3", "type": "quay"}).json["repository"]["uri"] == elsewhere["uri"]
    open_registry(app).push("4")
    moved = app.patch(repository={"tag": "4", "type": "ecr"}).json["repository"]
    assert (moved["uri"].partition("/")[2], moved["tag"]) == (f"{app.vendor.id}/{app.id}", "4")


def test_an_archive_is_replaced_by_an_image_when_the_type_says_so(app: App) -> None:
    app.publish("1.0.0")
    open_registry(app).push("2.0.0")
    replaced = app.patch(repository={"tag": "2.0.0", "type": "ecr"}).json["repository"]

    assert (replaced["type"], replaced["tag"]) == ("ecr", "2.0.0")
    assert replaced["uri"].endswith(app.id)


def test_an_app_that_is_removed_takes_its_images_with_it(app: App) -> None:
    registry = open_registry(app)
    registry.push("1.0.0")
    assert app.vendor.client.delete(app.path).status == 200
    again = app.vendor.create_app()

    assert again.id == app.id
    assert registry.get("tags/list").json["tags"] == []


def test_an_image_here_is_never_known_by_its_tag_alone(portal: Portal, app: App) -> None:
    """Otherwise the vendor pushes another image with the tag that was approved."""
    open_registry(app).push("1.0.0")
    own = app.patch(repository={"tag": "1.0.0"}).json["repository"]
    cleared = app.patch(repository={"digest": ""}).json["repository"]
    app.patch(repository={"type": "dockerhub", "uri": "docker.io/acme/app", "tag": "1.0.0"})
    moved = app.patch(repository={"uri": own["uri"]}).json["repository"]

    assert own["digest"].startswith("sha256:")
    assert (cleared["digest"], moved["digest"]) == (own["digest"], own["digest"])
    app.patch(repository={"uri": "docker.io/acme/app", "tag": "9.9.9"})
    assert app.patch(repository={"uri": own["uri"]}).status == 422
