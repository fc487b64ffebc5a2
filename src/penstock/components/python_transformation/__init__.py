"""Python transformation: scripts run in a data folder, with packages of their own. Run as a module."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.scripts import SCHEMA

INSTALLER_SETTINGS = (
    *("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX", "PIP_CERT", "PIP_CONFIG_FILE"),
    *("UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS", "UV_NO_INDEX", "UV_CONFIG_FILE"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
)
"""Variables by which the stack's operator says where packages come from."""

_PACKAGES = {"type": "array", "items": {"type": "string"}, "description": "As for pip: pandas, or pandas==2.3.3."}
_TAGS = {"type": "array", "items": {"type": "string"}, "description": "The newest file of each tag, as in/user/<tag>."}

PYTHON_TRANSFORMATION = Component(
    id="keboola.python-transformation-v2",
    name="Python",
    type="transformation",
    description="Turns tables into tables with Python.",
    long_description="Scripts run in the data folder: they read in/tables and write out/tables. Packages are installed "
    "into a virtual environment, which is kept for the next run.",
    module="penstock.components.python_transformation",
    inherits=INSTALLER_SETTINGS,
    flags=("genericCodeBlocksUI",),
    configuration_schema={
        **SCHEMA,
        "properties": {**SCHEMA["properties"], "packages": _PACKAGES, "tags": _TAGS},
    },
    empty_configuration={
        "parameters": {"blocks": [{"name": "Block", "codes": [{"name": "Code", "script": []}]}], "packages": []},
        "storage": {"input": {"tables": []}, "output": {"tables": []}},
    },
)
