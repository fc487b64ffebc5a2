"""Components that clients expect and this platform cannot run yet: they can be configured, but their jobs are
refused."""

from __future__ import annotations

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

SANDBOXES = Component(
    id="keboola.sandboxes",
    name="Workspaces",
    type="other",
    description="Python and R workspaces in a browser.",
    runs=Runs.NOT_YET,
    why_not_runnable="Python and R workspaces cannot be started here yet.",
    flags=_HIDDEN,
    configuration_schema=an_object(
        [],
        id=text("The workspace."),
        task={"enum": ["create", "delete"], "description": "What to do."},
        type={"enum": ["python", "r"], "description": "The language."},
        size=_SIZE,
    ),
)

DATA_APPS = Component(
    id="keboola.data-apps",
    name="Data apps",
    type="other",
    description="Small web applications on the data of a project.",
    runs=Runs.NOT_YET,
    why_not_runnable="Data apps cannot be started here yet.",
    flags=_HIDDEN,
    configuration_schema=an_object(
        [],
        id=text("The app."),
        size=_SIZE,
        autoSuspendAfterSeconds={"type": "integer", "minimum": 0, "description": "When it stops, if nobody uses it."},
        dataApp={**_APP, "description": "The app itself."},
        script=a_list(TEXT, description="Its source, if it is not in a repository."),
        packages=a_list(TEXT, description="Packages to install."),
    ),
)

DATA_GATEWAY = Component(
    id="keboola.app-data-gateway",
    name="Data gateway",
    type="application",
    description="Gives other programs SQL access to tables, in a workspace.",
    runs=Runs.NOT_YET,
    why_not_runnable="Workspaces for other programs cannot be made by jobs here yet.",
    flags=(*_HIDDEN, "genericDockerUI-tableInput"),
)

AWS_S3 = Component(
    id="keboola.ex-aws-s3",
    name="AWS S3",
    type="extractor",
    description="Reads CSV files from a bucket of AWS S3.",
    runs=Runs.NOT_YET,
    why_not_runnable="Files of AWS S3 cannot be read here yet; ex-generic-v2 reads any public or signed address.",
    default_bucket=True,
    flags=_HIDDEN,
)

MYSQL = Component(
    id="keboola.ex-db-mysql",
    name="MySQL",
    type="extractor",
    description="Reads tables of a MySQL database.",
    runs=Runs.NOT_YET,
    why_not_runnable="Databases of MySQL cannot be read here yet.",
    default_bucket=True,
    flags=_HIDDEN,
)

MYSQL_WRITER = Component(
    id="keboola.wr-db-mysql",
    name="MySQL",
    type="writer",
    description="Writes tables into a MySQL database.",
    runs=Runs.NOT_YET,
    why_not_runnable="Databases of MySQL cannot be written here yet.",
    flags=(*_HIDDEN, "genericDockerUI-tableInput"),
)

AZURE_COSTS = Component(
    id="keboola.ex-azure-cost-management",
    name="Azure Cost Management",
    type="extractor",
    description="Reads the costs of Azure subscriptions.",
    runs=Runs.NOT_YET,
    why_not_runnable="Costs of Azure cannot be read here yet.",
    default_bucket=True,
    flags=_HIDDEN,
)

TRANSFORMATION = Component(
    id="transformation",
    name="Transformations",
    type="transformation",
    description="Transformations in buckets, from before components.",
    runs=Runs.NOT_YET,
    why_not_runnable="Transformations in buckets cannot be run here yet; keboola.snowflake-transformation and "
    "keboola.python-transformation-v2 run SQL and Python.",
    flags=_HIDDEN,
)

CUSTOM_PYTHON = Component(
    id="kds-team.app-custom-python",
    name="Custom Python",
    type="application",
    description="Runs Python of its configuration or of a repository.",
    runs=Runs.NOT_YET,
    why_not_runnable="Python of repositories cannot be run here yet; keboola.python-transformation-v2 runs that of a "
    "configuration.",
    flags=_HIDDEN,
)

ORCHESTRATION_TRIGGER = Component(
    id="kds-team.app-orchestration-trigger-queue-v2",
    name="Orchestration trigger",
    type="application",
    description="Starts flows, also of other projects.",
    runs=Runs.NOT_YET,
    why_not_runnable="Flows of other projects cannot be started by jobs here yet; a flow starts flows of its project.",
    flags=_HIDDEN,
)

NOT_YET = (
    SANDBOXES,
    DATA_APPS,
    DATA_GATEWAY,
    AWS_S3,
    MYSQL,
    MYSQL_WRITER,
    AZURE_COSTS,
    TRANSFORMATION,
    CUSTOM_PYTHON,
    ORCHESTRATION_TRIGGER,
)
