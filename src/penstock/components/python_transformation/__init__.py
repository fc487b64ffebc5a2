"""Python transformation: runs scripts in a data folder, with their own packages. Run as a module."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.scripts import EMPTY, FLAGS, SCHEMA, example

INSTALLER_SETTINGS = (
    *("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX", "PIP_CERT", "PIP_CONFIG_FILE"),
    *("UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS", "UV_NO_INDEX", "UV_CONFIG_FILE"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
)
"""Variables with which the stack's operator configures package indexes."""

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
    runs_scripts=True,
    flags=(*FLAGS, "genericDockerUI-fileInput", "genericDockerUI-fileOutput"),
    configuration_schema={
        **SCHEMA,
        "properties": {**SCHEMA["properties"], "packages": _PACKAGES, "tags": _TAGS},
    },
    configuration_description="`parameters.blocks[].codes[].script[]` holds the Python. Input tables are CSV files in "
    "in/tables, named as `storage.input.tables[].destination` says; what it writes to out/tables is stored as "
    "`storage.output.tables` says.",
    configuration_examples=(
        example(
            "import csv\nfrom collections import Counter",
            "orders = Counter(row['status'] for row in csv.DictReader(open('in/tables/orders')))",
            "with open('out/tables/totals', 'w', newline='') as file:\n"
            "    csv.writer(file).writerows([('status', 'orders'), *sorted(orders.items())])",
            packages=[],
        ),
    ),
    empty_configuration={**EMPTY, "parameters": {**EMPTY["parameters"], "packages": []}},
)
