"""SQL transformation: tables in, SQL on DuckDB, tables out. Run as a module in a data folder."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.scripts import SCHEMA

DUCKDB_TRANSFORMATION = Component(
    id="keboola.duckdb-transformation",
    name="DuckDB SQL",
    type="transformation",
    description="Turns tables into tables with SQL.",
    long_description="Input tables are tables of a DuckDB database of the job's own; scripts run in order; the tables "
    "of the output mapping are written back. All input columns are texts: cast what is to be counted.",
    module="penstock.components.duckdb_transformation",
    network="none",
    flags=("genericCodeBlocksUI",),
    configuration_schema=SCHEMA,
    empty_configuration={
        "parameters": {"blocks": [{"name": "Block", "codes": [{"name": "Code", "script": []}]}]},
        "storage": {"input": {"tables": []}, "output": {"tables": []}},
    },
)
