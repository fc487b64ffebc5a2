"""Requests of Management that are about something which the request uses up: it is made for each of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from tests.support.http import Http, Response
from tests.unit.services.management.people import add_place, made, patch
from tests.unit.services.world import World

Make = Callable[[Http, World], dict[str, Any]]
"""Given the client of a super administrator, the parts of a request that differ from those of the world."""
_numbers = itertools.count(1)


def _invite(level: str) -> Make:
    def make(boss: Http, world: World) -> dict[str, Any]:
        path = f"/manage/{level}s/{getattr(add_place(boss), level)}/invitations"
        return {"values": {"invitation_id": str(made(boss.post(path, {"email": f"{world.name}@example.com"}))["id"])}}

    return make


def _closed_project(boss: Http, world: World) -> dict[str, Any]:
    """Of an organization whose members have to ask before they join."""
    place = add_place(boss)
    path = f"/manage/organizations/{place.organization}"
    made(boss.post(f"{path}/users", {"email": f"{world.name}@example.com"}))
    _done(patch(boss, path, {"allowAutoJoin": False}))
    return {"values": {"project_id": str(place.project)}}


def _join_request(boss: Http, world: World) -> dict[str, Any]:
    """Of the super administrator, whose first one was approved."""
    project = world.main["management.project_id"]
    _done(boss.delete(f"/manage/projects/{project}/users/{world.name}-super@example.com"))
    asked = made(boss.post(f"/manage/projects/{project}/request-access", {}))
    return {"values": {"project_id": project, "request_id": str(asked["id"])}}


def _delete_project(boss: Http, _world: World) -> dict[str, Any]:
    project = str(add_place(boss).project)
    _done(boss.delete(f"/manage/projects/{project}"))
    return {"values": {"deleted_project_id": project}}


def _purge(boss: Http, world: World) -> dict[str, Any]:
    project = _delete_project(boss, world)["values"]["deleted_project_id"]
    return {"body": {"command": "purge-deleted-project", "parameters": [project]}}


def _empty_maintainer(boss: Http, _world: World) -> dict[str, Any]:
    return {"values": {"maintainer_id": str(made(boss.post("/manage/maintainers", {"name": "Empty"}))["id"])}}


def _empty_organization(boss: Http, world: World) -> dict[str, Any]:
    path = f"/manage/maintainers/{world.main['management.maintainer_id']}/organizations"
    return {"values": {"organization_id": str(made(boss.post(path, {"name": "Empty"}))["id"])}}


def _add_feature(boss: Http) -> dict[str, Any]:
    texts = {"title": "New reports", "description": "Reports as they will be."}
    return made(boss.post("/manage/features", {"name": f"reports-{next(_numbers)}", "type": "admin", **texts}))


def _new_feature(boss: Http, _world: World) -> dict[str, Any]:
    return {"values": {"feature_id": str(_add_feature(boss)["id"])}}


def _feature_for_user(boss: Http, _world: World) -> dict[str, Any]:
    return {"body": {"feature": _add_feature(boss)["name"]}}


def _feature_of_user(boss: Http, world: World) -> dict[str, Any]:
    name, user = _add_feature(boss)["name"], world.main["management.member"]
    _done(boss.post(f"/manage/users/{user}/features", {"feature": name}))
    return {"values": {"user": user, "feature": name}}


def _done(response: Response) -> None:
    assert response.status < 300, response.text


_OF_CALLER, _ONE = "/manage/current-user", "{invitation_id}"
_DELETED, _FEATURE = "/manage/deleted-projects/{deleted_project_id}", "/manage/features/{feature_id}"
REQUESTS: dict[str, Make] = {
    **{
        f"{method} {_OF_CALLER}/{level}s-invitations/{_ONE}": _invite(level)
        for method in ("GET", "PUT", "DELETE")
        for level in ("project", "organization", "maintainer")
    },
    **{f"{method} {_DELETED}": _delete_project for method in ("GET", "DELETE")},
    f"POST {_DELETED}/purge": _delete_project,
    "POST /manage/projects/{project_id}/request-access": _closed_project,
    "DELETE /manage/projects/{project_id}/join-requests/{request_id}": _join_request,
    "POST /manage/commands": _purge,
    "DELETE /manage/maintainers/{maintainer_id}": _empty_maintainer,
    "DELETE /manage/organizations/{organization_id}": _empty_organization,
    **{f"{method} {_FEATURE}": _new_feature for method in ("PATCH", "DELETE")},
    "POST /manage/users/{user}/features": _feature_for_user,
    "DELETE /manage/users/{user}/features/{feature}": _feature_of_user,
}
