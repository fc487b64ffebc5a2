"""What is in the world that world.py describes beyond Storage: a few things of each other service.

A new service gets a function here, named in `MAKERS`; one without parameters in its paths needs an empty one.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from datetime import timedelta

import pytest

from penstock.app import list_services
from penstock.foundation.stacks import STORAGE
from penstock.services.developer.operations import icons
from penstock.web.auth.manage_token import HEADER
from tests.support.http import Http, Response
from tests.support.stacks import wait_for
from tests.unit.services.world_things import COMPONENT, Things

JSON = {"Content-Type": "application/json"}


Headers = dict[str, str]


def make_elsewhere(
    storage: Http, name: str, headers: Callable[[str], Headers], manage_tokens: tuple[str, str]
) -> Things:
    """By the service and the name of the parameter that they are for, such as `queue.job_id`; `headers` returns those
    of the requests to a service."""
    made: Things = {}
    for service in (service.id for service in list_services() if service.routes):
        assert service in MAKERS, f'There is a new service "{service}": make things of it in world_services.py.'
        client = Http(storage.base.removesuffix(STORAGE) + service, storage.token, headers=headers(service))
        made |= {f"{service}.{key}": value for key, value in MAKERS[service](client, name).items()}
    base = storage.base.removesuffix(STORAGE) + "management"
    boss, person = (Http(base, headers={HEADER: token}) for token in manage_tokens)
    people = _make_people(boss, person, name)
    return made | {f"management.{key}": value for key, value in people.items()}


def _make_jobs(queue: Http, name: str) -> Things:
    body = {"component": COMPONENT, "configData": {"parameters": {"name": name}, "runtime": {"tag": name}}}
    return {key: _made(queue.post("/jobs", body)).json["id"] for key in ("job_id", "other_job_id")}


def _make_variables(vault: Http, name: str) -> Things:
    made = [_made(vault.post("/variables", {"key": f"{name}-{n}", "value": name})).json["hash"] for n in (1, 2)]
    return {"hash": made[0], "other_hash": made[1], "branch_id": "default"}


def _make_credentials(oauth: Http, name: str) -> Things:
    """The application is the stack's, so the first project registers it for both."""
    urls = {"authUrl": "https://provider.example.com/authorize", "tokenUrl": "https://provider.example.com/token"}
    consumer = {"componentId": COMPONENT, "friendlyName": "Provider", "appKey": "key", "appSecret": "secret", **urls}
    assert oauth.post("/manage", consumer).status in (201, 422)
    for credential in (f"{name}-1", f"{name}-2"):
        body = {"id": credential, "authorizedFor": name, "#data": "{}"}
        _made(oauth.post(f"/credentials/{COMPONENT}", body))
    return {"component_id": COMPONENT, "credential_id": f"{name}-1", "other_credential_id": f"{name}-2"}


def _make_queries(query: Http, name: str) -> Things:
    """A workspace with a statement that has ended, and one that may be canceled."""
    storage = Http(query.base.removesuffix("query") + STORAGE, query.token)
    branch = next(each["id"] for each in storage.get("/v2/storage/dev-branches").json if each["isDefault"])
    workspace = _made(storage.post("/v2/storage/workspaces", {"backend": "snowflake"})).json["id"]
    path = f"/api/v1/branches/{branch}/workspaces/{workspace}/queries"
    job_id = _made(query.post(path, {"statements": [f"SELECT '{name}' AS name"]})).json["queryJobId"]
    job = wait_for(lambda: (job := query.get(f"/api/v1/queries/{job_id}").json)["status"] == "completed" and job)
    statement = job["statements"][0]["id"]
    return {"branch": str(branch), "workspace_id": str(workspace), "job_id": job_id, "statement_id": statement}


def _make_sessions(editor: Http, _name: str) -> Things:
    storage = Http(editor.base.removesuffix("editor") + STORAGE, editor.token)
    branch = next(each["id"] for each in storage.get("/v2/storage/dev-branches").json if each["isDefault"])
    made = [_made(editor.post("/sql/sessions", {"branchId": str(branch)})).json["id"] for _ in range(2)]
    for each in made:
        assert editor.get(f"/sql/sessions/{each}").json["status"] == "ready"
    return {"session_id": made[0], "other_session_id": made[1]}


def _make_subscriptions(notification: Http, name: str) -> Things:
    recipient = {"channel": "email", "address": f"{name}@example.com"}
    body = {"event": "job-failed", "recipient": recipient}
    made = [_made(notification.post("/project-subscriptions", body)).json["id"] for _ in range(2)]
    return {"subscription_id": made[0], "other_subscription_id": made[1], "event": "job-failed"}


def _make_schedules(scheduler: Http, name: str) -> Things:
    """One to change, one to delete, and one to delete with its configuration."""
    storage, made = Http(scheduler.base.removesuffix("scheduler") + STORAGE, scheduler.token), list[Things]()
    target = {"componentId": COMPONENT, "configurationId": "sample-orders", "mode": "run"}
    content = {"schedule": {"cronTab": "0 0 1 1 *", "timezone": "UTC", "state": "disabled"}, "target": target}
    for _ in range(3):
        body = {"name": name, "configuration": content}
        config = _made(storage.post("/v2/storage/components/keboola.scheduler/configs", body)).json["id"]
        made.append(scheduler.post("/schedules", {"configurationId": config}).json)
    return {
        "schedule_id": made[0]["id"],
        "other_schedule_id": made[1]["id"],
        "configuration_id": made[2]["configurationId"],
        "config_id": made[0]["configurationId"],
    }


def _make_people(boss: Http, person: Http, name: str) -> Things:
    """Three places, made by a super administrator: the person belongs to the maintainer of the first, is invited to all
    of the second, and has asked for the project of the third. The super administrator has asked for the first one."""
    email = f"{name}@example.com"
    here, there, asked = (_make_place(boss, f"{name}{word}") for word in ("", "-other", "-asked"))
    things = {
        "user": email,
        "feature": "native-types",
        "limit": "storage.rows",
        "template_id": "demo",
        "app_id": "none",
    }
    things |= {"backend_id": "1", "file_storage_id": "1", "feature_id": "2", **here}
    things |= {"session_id": "1", "token_id": "1"}  # of somebody who is signed in: others find none
    for level in ("maintainer", "organization", "project"):
        path, other = (f"/manage/{level}s/{place[f'{level}_id']}" for place in (here, there))
        boss.delete(f"{path}/users/{name}-super@example.com")
        body = {"email": f"guest-{email}"}
        things[f"{level}_invitation_id"] = str(_made(boss.post(f"{path}/invitations", body)).json["id"])
        own = _made(boss.post(f"{other}/invitations", {"email": email}))
        things[f"own_{level}_invitation_id"] = str(own.json["id"])
        things[f"{level}_metadata_id"] = _make_metadata(boss, path, name)
    _made(boss.post(f"/manage/maintainers/{here['maintainer_id']}/users", {"email": email}))
    member = {"email": f"member-{email}", "role": "guest"}
    assert boss.post(f"/manage/projects/{here['project_id']}/users", member).status == 204
    found = boss.get(f"/manage/users/{member['email']}").json
    things |= {"member": found["email"], "member_id": str(found["id"])}
    things["user_metadata_id"] = _make_metadata(person, f"/manage/users/{email}", name)
    things["request_id"] = _request_access(boss, here)
    _made(boss.post(f"/manage/organizations/{asked['organization_id']}/users", {"email": email}))
    closed = {"allowAutoJoin": False}
    boss.send("PATCH", f"/manage/organizations/{asked['organization_id']}", json.dumps(closed).encode(), JSON)
    deleted = _make_place(boss, f"{name}-deleted")["project_id"]
    boss.delete(f"/manage/projects/{deleted}")
    return {**things, "own_request_id": _request_access(person, asked), "deleted_project_id": deleted}


def _request_access(who: Http, place: Things) -> str:
    made = _made(who.post(f"/manage/projects/{place['project_id']}/request-access", {}))
    return str(made.json["id"])


def _make_place(management: Http, name: str) -> Things:
    maintainer = _made(management.post("/manage/maintainers", {"name": name})).json["id"]
    above = _made(management.post(f"/manage/maintainers/{maintainer}/organizations", {"name": name})).json["id"]
    project = _made(management.post(f"/manage/organizations/{above}/projects", {"name": name})).json["id"]
    return {"maintainer_id": str(maintainer), "organization_id": str(above), "project_id": str(project)}


def _make_metadata(management: Http, path: str, name: str) -> str:
    return str(_made(management.post(f"{path}/metadata", {"metadata": [{"key": name, "value": name}]})).json[0]["id"])


def _make_documents(metastore: Http, name: str) -> Things:
    """Two, the first of them with two revisions."""
    path, made = "/api/v1/repository/semantic-model", list[str]()
    for number in (1, 2):
        made.append(
            _made(metastore.post(path, {"name": name, "data": {"name": f"{name}-{number}"}})).json["data"]["id"]
        )
    assert metastore.put(f"{path}/{made[0]}", {"name": name, "data": {"name": name}}).status == 200
    known = {"document_type": "semantic-model", "version": "1.0.0", "revision": "1"}
    return {"document_id": made[0], "other_document_id": made[1], **known}


def _make_apps(developer: Http, name: str) -> Things:
    """A vendor with a user, an app to change, which has two versions, and one to delete."""
    vendor = f"{name}-vendor"
    _made(developer.post("/vendors", {"id": vendor, "name": name}))
    path, image = f"/vendors/{vendor}/apps", {"type": "dockerhub", "uri": f"docker.io/{vendor}/app", "tag": "1"}
    for each in ("app", "other"):
        _made(developer.post(path, {"id": f"{name}-{each}", "name": name, "type": "other", "repository": image}))
        _made(developer.post(f"{path}/{name}-{each}/versions/1/rollback"))
    assert developer.post(f"{path}/{name}-app/publish").status == 200
    assert developer.post(f"/vendors/{vendor}/users/{name}@example.com").status == 204
    made = {"vendor": vendor, "app": f"{vendor}.{name}-app", "other_app": f"{vendor}.{name}-other", "version": "1"}
    with pytest.MonkeyPatch.context() as patch:
        # The world is made once, and may be used much later.
        patch.setattr(icons, "LIFETIME", timedelta(days=1))
        link = developer.post(f"{path}/{name}-app/icon").json["link"]
    made |= {"ticket": link.rpartition("/")[2], "checksum": "0" * 64}
    return {**made, **_push_image(developer, f"{path}/{name}-app"), "username": f"{name}@example.com", **PEOPLE}


PEOPLE = {"email": "new@example.com", "code": "0" * 32}
"""Nobody has the address, or a link with the code."""


def _push_image(developer: Http, path: str) -> Things:
    """An image of the app, and an upload that is not finished."""
    repository = developer.get(f"{path}/repository").json
    credentials = base64.b64encode(f"penstock:{repository['credentials']['password']}".encode()).decode()
    registry, where = Http(developer.base, headers={"Authorization": f"Basic {credentials}"}), repository["repository"]
    digest = f"sha256:{hashlib.sha256(b'{}').hexdigest()}"
    _made(registry.send("POST", f"/v2/{where}/blobs/uploads/?digest={digest}", b"{}"))
    manifest = json.dumps({"schemaVersion": 2, "config": {"digest": digest}, "layers": []}).encode()
    media_type = {"Content-Type": "application/vnd.oci.image.manifest.v1+json"}
    _made(registry.send("PUT", f"/v2/{where}/manifests/pushed", manifest, media_type))
    upload = registry.send("POST", f"/v2/{where}/blobs/uploads/", b"").headers["docker-upload-uuid"]
    return {"digest": digest, "reference": "pushed", "upload_id": upload, "credentials": credentials}


def _made(response: Response) -> Response:
    assert response.status == 201, response.text
    return response


MAKERS: dict[str, Callable[[Http, str], Things]] = {
    STORAGE: lambda *_: {},  # in world_things.py
    "management": lambda *_: {},  # of people, below
    "encryption": lambda *_: {},
    "billing": lambda *_: {},
    "queue": _make_jobs,
    "import": lambda *_: {},
    "vault": _make_variables,
    "sync-actions": lambda *_: {},
    "oauth": _make_credentials,
    "notification": _make_subscriptions,
    "scheduler": _make_schedules,
    "query": _make_queries,
    "editor": _make_sessions,
    "data-science": lambda *_: {"app_id": "1"},  # there are none yet
    "mcp": lambda *_: {},
    "metastore": _make_documents,
    "ai": lambda *_: {"component_id": COMPONENT, "template_id": "answer-question"},
    "portal": lambda *_: {"file": "storage.json", "page": "architecture.md", "path": "portal.js"},
    "developer": _make_apps,
    "console": lambda *_: {"path": "projects/1/queue"},
    "sample": lambda *_: {"customer_id": "1"},
}
