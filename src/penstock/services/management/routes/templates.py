"""Templates of projects over HTTP: the kinds of projects, and the features that new projects of a kind have."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.management.models.features import FeatureRef, FeatureView, feature_view
from penstock.services.management.models.project_views import TEMPLATES, ProjectTemplate
from penstock.services.management.operations import features
from penstock.services.management.operations.projects import get_template as find_template
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post

HERE = "/manage/project-templates"


def routes() -> list[Route]:
    one = f"{HERE}/{{template_id}}"
    return [
        get(HERE, list_templates, needs=Right.TOKEN, title="List project templates"),
        get(one, get_template, needs=Right.TOKEN, title="Get a project template"),
        get(f"{one}/features", list_features, needs=Right.TOKEN, title="List features of a project template"),
        post(
            f"{one}/features", add_feature, needs=Right.SUPER, status=201, title="Add a feature to a project template"
        ),
        delete(
            f"{one}/features/{{feature}}",
            remove_feature,
            needs=Right.SUPER,
            status=204,
            title="Remove a feature of a project template",
        ),
    ]


def list_templates(request: Request) -> list[ProjectTemplate]:  # noqa: ARG001
    return list(TEMPLATES)


def get_template(request: Request, template_id: str) -> ProjectTemplate:  # noqa: ARG001
    return find_template(template_id)


def list_features(request: Request, template_id: str) -> list[FeatureView]:
    with request.reading() as tx:
        return [feature_view(row) for row in features.list_of_template(tx, template_id)]


def add_feature(request: Request, template_id: str, body: FeatureRef) -> FeatureView:
    """New projects of the template have it from now on."""
    with request.writing() as tx:
        row = features.set_of_template(tx, request.identity, template_id, body.feature, is_on=True)
        return feature_view(row)


def remove_feature(request: Request, template_id: str, feature: str) -> None:
    with request.writing() as tx:
        features.set_of_template(tx, request.identity, template_id, feature, is_on=False)
