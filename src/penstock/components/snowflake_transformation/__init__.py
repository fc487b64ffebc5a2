"""Snowflake transformation: SQL written for Snowflake, run on DuckDB. Run as a module in a data folder."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.scripts import FLAGS, SCHEMA, example

SNOWFLAKE_TRANSFORMATION = Component(
    id="keboola.snowflake-transformation",
    name="Snowflake SQL",
    type="transformation",
    description="Turns tables into tables with SQL written for Snowflake.",
    long_description="The SQL runs on DuckDB. Unquoted names become upper case; types, dates, paths into JSON, "
    "variables and the usual functions of Snowflake are translated, and what is not is an error that names it. Inputs "
    "are tables of the job's own database, with texts in all columns unless they are typed; the tables of the output "
    "mapping are written back.",
    module="penstock.components.snowflake_transformation",
    network="none",
    flags=FLAGS,
    configuration_schema=SCHEMA,
    configuration_description="`parameters.blocks[].codes[].script[]` holds the SQL, one statement in each text. "
    "`storage.input.tables[].destination` names a table that it reads, `storage.output.tables[].source` one that it "
    "makes.",
    configuration_examples=(
        example(
            'CREATE OR REPLACE TABLE "totals" AS SELECT "status", COUNT(*) AS "orders", '
            'TO_VARCHAR(MAX("placedAt"::TIMESTAMP_NTZ), \'YYYY-MM-DD\') AS "last_order" '
            'FROM "orders" GROUP BY "status" ORDER BY "status"'
        ),
    ),
)
