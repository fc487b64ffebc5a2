"""Components that clients expect and this platform cannot run yet: they can be configured, their jobs are refused."""

from __future__ import annotations

from penstock.components.component import Component, Runs
from penstock.components.json_schema import NAME, TEXT, a_list, an_object

_HIDDEN = ("genericDockerUI", "excludeFromNewList")
_SIZE = {"enum": ["tiny", "small", "medium", "large"]}

SANDBOXES = Component(
    id="keboola.sandboxes",
    name="Workspaces",
    type="other",
    description="Python and R workspaces in a browser.",
    runs=Runs.NOT_YET,
    why_not_runnable="Python and R workspaces cannot be started here yet.",
    flags=_HIDDEN,
    configuration_schema=an_object(
        [], id=TEXT, task={"enum": ["create", "delete"]}, type={"enum": ["python", "r"]}, size=_SIZE
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
        id=TEXT,
        size=_SIZE,
        autoSuspendAfterSeconds={"type": "integer", "minimum": 0},
        dataApp=an_object([], slug=NAME, secrets={"type": "object"}, git={"type": "object"}),
        script=a_list(TEXT),
        packages=a_list(TEXT),
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
    flags=(*_HIDDEN, "genericDockerUI-rows"),
)

NOT_YET = (SANDBOXES, DATA_APPS, DATA_GATEWAY, AWS_S3)
