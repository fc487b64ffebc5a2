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
    flags=_HIDDEN,
)

NOT_YET = (SANDBOXES, DATA_APPS, DATA_GATEWAY, AWS_S3)
