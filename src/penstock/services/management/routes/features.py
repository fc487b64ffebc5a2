"""Features over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.management.models.features import (
    FeatureChange,
    FeatureQuery,
    FeatureView,
    NewFeature,
    feature_view,
)
from penstock.services.management.models.groups import ProjectRef
from penstock.services.management.models.users import UserView, user_view
from penstock.services.management.models.wire import to_text
from penstock.services.management.operations import features
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post

HERE, SUPER = "/manage/features", Right.SUPER


def routes() -> list[Route]:
    one = f"{HERE}/{{feature_id}}"
    return [
        get(HERE, list_features, needs=Right.TOKEN),
        post(HERE, create_feature, needs=SUPER, status=201),
        get(one, get_feature, needs=SUPER),
        patch(one, change_feature, needs=SUPER),
        delete(one, remove_feature, needs=SUPER, status=204),
        get(f"{one}/projects", list_projects, needs=SUPER, title="List projects that have a feature"),
        get(f"{one}/admins", list_admins, needs=SUPER, title="List users who have a feature"),
    ]


def list_features(request: Request, query: FeatureQuery) -> list[FeatureView]:
    """All for super administrators; for others those that they may change."""
    with request.reading() as tx:
        return [feature_view(row) for row in features.list_features(tx, request.identity, query.type)]


def create_feature(request: Request, body: NewFeature) -> FeatureView:
    with request.writing() as tx:
        return feature_view(features.create_feature(tx, request.identity, body))


def get_feature(request: Request, feature_id: str) -> FeatureView:
    with request.reading() as tx:
        return feature_view(features.get_feature(tx, feature_id))


def change_feature(request: Request, feature_id: str, body: FeatureChange) -> FeatureView:
    """Update the given fields of a feature that is not built in."""
    with request.writing() as tx:
        return feature_view(features.change_feature(tx, request.identity, feature_id, body))


def remove_feature(request: Request, feature_id: str) -> None:
    """One that is not built in, and that nothing has."""
    with request.writing() as tx:
        features.remove_feature(tx, request.identity, feature_id)


def list_projects(request: Request, feature_id: str) -> list[ProjectRef]:
    """The projects that have it."""
    with request.reading() as tx:
        found = features.list_projects_with(tx, features.get_feature(tx, feature_id))
        return [ProjectRef(id=row.id, name=row.name, created=to_text(row.created)) for row in found]


def list_admins(request: Request, feature_id: str) -> list[UserView]:
    """The users that have it."""
    with request.reading() as tx:
        return [user_view(row) for row in features.list_users_with(tx, features.get_feature(tx, feature_id))]
