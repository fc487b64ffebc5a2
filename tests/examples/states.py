"""Requests about something in a certain state: a session with tables, a job that waits, a bucket that is linked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from penstock.foundation.stacks import STORAGE
from penstock.services.developer.routes.versions import ZIP
from penstock.services.queue.models.statuses import Status
from penstock.web.auth.manage_token import HEADER
from penstock.web.routing import Route
from tests.support.http import Http, Response
from tests.support.providers import Browser, Provider
from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.portal import make_archive
from tests.unit.services.editor.test_loads import EditorSession
from tests.unit.services.fill import add_project
from tests.unit.services.query.test_submission import ENDLESS
from tests.unit.services.query.workspaces import SqlWorkspace
from tests.unit.services.queue.jobs import add_job
from tests.unit.services.world import ROOT, World
from tests.unit.services.world_things import COMPONENT

Make = Callable[[ServicesOnly, World, Route], dict[str, Any]]
"""Makes the parts of a request that differ from those of the world."""
CANCEL = "POST /jobs/{job_id}/cancel"
"""Is sent last: it stops Storage's worker, so that a job waits."""
ORCHESTRATOR, WRITER = "keboola.orchestrator", "kds-team.wr-generic"


def _upload_program(_services: ServicesOnly, world: World, row: Route) -> dict[str, Any]:
    archive = make_archive(world.values(row)["app"])
    return {"content": archive, "headers": {"Content-Type": ZIP[0]}}


def _open_session(services: ServicesOnly, world: World) -> EditorSession:
    tables = {
        "input": {"tables": [{"source": world.main["table_id"], "destination": "people"}]},
        "output": {"tables": [{"source": "people", "destination": f"out.c-{world.name}.people"}]},
    }
    session = EditorSession(services, tables)
    session.wait()
    return session


def _with_tables(services: ServicesOnly, world: World, _row: Route) -> dict[str, Any]:
    session = _open_session(services, world)
    session.load(mode="input")
    return {"values": {"session_id": session.made["id"]}}


def _with_ddl(services: ServicesOnly, world: World, row: Route) -> dict[str, Any]:
    return {**_with_tables(services, world, row), "query": {"tableName": "people"}}


def _with_error(services: ServicesOnly, world: World, _row: Route) -> dict[str, Any]:
    """Nothing was loaded, so there is no table to write back."""
    session = _open_session(services, world)
    _done(session.editor.post(f"{session.path}/unload", {}))
    assert session.wait()["lastError"]
    return {"values": {"session_id": session.made["id"]}}


def _running_query(services: ServicesOnly, _world: World, _row: Route) -> dict[str, Any]:
    started = _done(SqlWorkspace(services).submit(ENDLESS, dialect="duckdb"))
    return {"values": {"job_id": started.json["queryJobId"]}}


def _failed_flow(services: ServicesOnly, world: World, _row: Route) -> dict[str, Any]:
    """Of two tasks: the first one has failed."""
    task = {"componentId": COMPONENT, "configId": world.main["config_id"], "mode": "run"}
    tasks = [{"id": number, "phase": 1, "name": f"Extract {number}", "task": task} for number in (1, 2)]
    flow = {"phases": [{"id": 1, "name": "Extract"}], "tasks": tasks}
    body = {"name": "Every morning", "configuration": flow}
    config = _done(world.storage.post(f"{ROOT}/components/{ORCHESTRATOR}/configs", body)).json["id"]
    wanted = {"component": ORCHESTRATOR, "config": config, "mode": "run"}
    job = _done(services.service("queue").post("/jobs", wanted)).json["id"]
    add_job(services, parent_id=int(job), orchestration_task_id="1", config=task["configId"], status=Status.ERROR)
    return {"values": {"job_id": job}}


def _linked_bucket(services: ServicesOnly, world: World, row: Route) -> dict[str, Any]:
    """A bucket of Main that another project has linked."""
    name = f"{world.name}-{'linked' if 'branch' in row.parameters else 'shared'}"
    bucket = _done(world.storage.post(f"{ROOT}/buckets", {"name": name, "stage": "in"})).json["id"]
    _done(world.storage.post(f"{ROOT}/buckets/{bucket}/share-organization", {}))
    other, mine = add_project(services), world.project.caller.project_id
    link = {"name": "linked", "stage": "in", "sourceProjectId": mine, "sourceBucketId": bucket}
    _done(services.service(STORAGE, other.token).post(f"{ROOT}/buckets", link))
    known = {"branch": world.main["query.branch"], "bucket_id": bucket, "project_id": str(other.caller.project_id)}
    return {"values": {each: known[each] for each in row.parameters}}


def _waiting_job(services: ServicesOnly, world: World, _row: Route) -> dict[str, Any]:
    services.stop_worker()
    job = _done(world.storage.post(f"{ROOT}/dev-branches", {"name": f"{world.name}-waiting"}))
    return {"values": {"job_id": str(job.json["id"])}}


def _authorize(_services: ServicesOnly, world: World, _row: Route) -> dict[str, Any]:
    return {"body": {**_authorization(world), "id": "main"}}


def complete(provider: Provider, world: World, row: Route) -> dict[str, Any]:
    """The user has been at the provider, which sends the browser back."""
    component, base, browser = WRITER, world.client(row).base, Browser()
    _done(Http(base, headers={HEADER: world.manage_token}).post("/manage", provider.consumer(component)))
    started = _done(browser.submit(f"{base}/authorize/{component}", _authorization(world)))
    granted = browser.visit(started.headers["location"]).headers["location"]
    query = dict(parse_qsl(urlsplit(granted).query))
    cookies = "; ".join(f"{name}={value}" for name, (_, value) in browser.cookies.items())
    return {"values": {"component_id": component}, "query": query, "headers": {"Cookie": cookies}}


def _authorization(world: World) -> dict[str, str]:
    whom = {"id": f"{world.name}-crm", "authorizedFor": "Ann", "token": world.project.token}
    return {**whom, "returnUrl": "https://example.com/done"}


def _done(response: Response) -> Response:
    assert response.status < 400, response.text
    return response


REQUESTS: dict[str, Make] = {
    "developer POST /vendors/{vendor}/apps/{app}/versions": _upload_program,
    "editor POST /sql/sessions/{session_id}/unload": _with_tables,
    "editor GET /sql/sessions/{session_id}/table-ddl": _with_ddl,
    "editor POST /sql/sessions/{session_id}/acknowledge-last-error": _with_error,
    "query POST /api/v1/queries/{job_id}/cancel": _running_query,
    "queue GET /orchestration-rerun-plan/{job_id}": _failed_flow,
    "DELETE /buckets/{bucket_id}/links/{project_id}": _linked_bucket,
    CANCEL: _waiting_job,
    "oauth POST /authorize/{component_id}": _authorize,
}
