"""SQL transformation: tables in, SQL on DuckDB, tables out. Run as a module in a data folder."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.scripts import EMPTY, FLAGS, SCHEMA, example

DUCKDB_TRANSFORMATION = Component(
    id="keboola.duckdb-transformation",
    name="DuckDB SQL",
    type="transformation",
    description="Turns tables into tables with SQL.",
    long_description="Input tables are tables of a DuckDB database of the job's own; scripts run in order; the tables "
    "of the output mapping are written back. Columns of typed tables have their types; all others are texts: cast what "
    "is to be counted.",
    module="penstock.components.duckdb_transformation",
    network="none",
    flags=FLAGS,
    configuration_schema=SCHEMA,
    configuration_description="`parameters.blocks[].codes[].script[]` holds the SQL. "
    "`storage.input.tables[].destination` names a table that it reads, `storage.output.tables[].source` one that it "
    "makes.",
    configuration_examples=(
        example(
            "CREATE TABLE totals AS SELECT status, count(*) AS orders, max(placedAt::TIMESTAMP) AS last_order "
            "FROM orders GROUP BY status ORDER BY status"
        ),
    ),
    empty_configuration=EMPTY,
)
