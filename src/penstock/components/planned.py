"""Components that clients expect and this platform cannot run yet: they can be configured, but their jobs are
refused."""

from __future__ import annotations

from typing import Any

from penstock.components.component import Component, Runs
from penstock.components.json_schema import TEXT, a_list, an_object, name, text

_HIDDEN = ("genericDockerUI", "excludeFromNewList")
_SIZE = {"enum": ["tiny", "small", "medium", "large"], "description": "Its size."}
_APP = an_object(
    [],
    slug=name("The first part of its host name."),
    secrets={"type": "object", "description": "Values that it finds in its environment."},
    git={"type": "object", "description": "The repository of its source."},
)


def _planned(component_id: str, title: str, kind: str, description: str, why_not: str, **more: Any) -> Component:
    flags = (*_HIDDEN, *more.pop("flags", ()))
    fields: dict[str, Any] = {
        "type": kind,
        "description": description,
        "runs": Runs.NOT_YET,
        "why_not_runnable": why_not,
        **more,
    }
    return Component(id=component_id, name=title, flags=flags, **fields)


PLANNED = (
    _planned(
        "keboola.sandboxes",
        "Workspaces",
        "other",
        "Python and R workspaces in a browser.",
        "Python and R workspaces cannot be started here yet.",
        configuration_schema=an_object(
            [],
            id=text("The workspace."),
            task={"enum": ["create", "delete"], "description": "What to do."},
            type={"enum": ["python", "r"], "description": "The language."},
            size=_SIZE,
        ),
    ),
    _planned(
        "keboola.data-apps",
        "Data apps",
        "other",
        "Small web applications on the data of a project.",
        "Data apps cannot be started here yet.",
        configuration_schema=an_object(
            [],
            id=text("The app."),
            size=_SIZE,
            autoSuspendAfterSeconds={"type": "integer", "minimum": 0, "description": "When it stops if it is unused."},
            dataApp={**_APP, "description": "The app."},
            script=a_list(TEXT, description="Its source, if it is not in a repository."),
            packages=a_list(TEXT, description="Packages to install."),
        ),
    ),
    _planned(
        "keboola.app-data-gateway",
        "Data gateway",
        "application",
        "Gives other programs SQL access to tables, in a workspace.",
        "Workspaces for other programs cannot be created by jobs here yet.",
        flags=("genericDockerUI-tableInput",),
    ),
    _planned(
        "keboola.ex-aws-s3",
        "AWS S3",
        "extractor",
        "Reads CSV files from a bucket of AWS S3.",
        "Files of AWS S3 cannot be read here yet; ex-generic-v2 reads any public or signed address.",
        default_bucket=True,
    ),
    _planned(
        "keboola.ex-db-mysql",
        "MySQL",
        "extractor",
        "Reads tables of a MySQL database.",
        "Databases of MySQL cannot be read here yet.",
        default_bucket=True,
    ),
    _planned(
        "keboola.wr-db-mysql",
        "MySQL",
        "writer",
        "Writes tables into a MySQL database.",
        "Databases of MySQL cannot be written here yet.",
        flags=("genericDockerUI-tableInput",),
    ),
    _planned(
        "keboola.ex-azure-cost-management",
        "Azure Cost Management",
        "extractor",
        "Reads the costs of Azure subscriptions.",
        "Costs of Azure cannot be read here yet.",
        default_bucket=True,
    ),
    _planned(
        "transformation",
        "Transformations",
        "transformation",
        "Transformations in buckets, from before components.",
        "Transformations in buckets cannot be run here yet; keboola.snowflake-transformation and "
        "keboola.python-transformation-v2 run SQL and Python.",
    ),
    _planned(
        "kds-team.app-custom-python",
        "Custom Python",
        "application",
        "Runs Python of its configuration or of a repository.",
        "Python of repositories cannot be run here yet; keboola.python-transformation-v2 runs that of a configuration.",
    ),
    _planned(
        "kds-team.app-orchestration-trigger-queue-v2",
        "Orchestration trigger",
        "application",
        "Starts flows, also of other projects.",
        "Flows of other projects cannot be started by jobs here yet; a flow starts flows of its project.",
    ),
)
