"""SQL and Python of transformations. Messages of the engine are recognized by their beginnings."""

from __future__ import annotations

import re

from penstock.services.ai.failures.diagnosis import Known
from penstock.services.ai.failures.places import beside_scripts, of_item, of_script

_CODE = r"block \"(?P<block>[^\"]*)\", code \"(?P<code>[^\"]*)\""
_STATEMENT = rf"Statement (?P<statement>\d+) of {_CODE} failed: "
_SCRIPTS = "parameters.blocks[].codes[].script"
_SQL = "components/sql-transformation.md"


def _known(error: str, cause: str, fix: str, page: str = _SQL) -> Known:
    pattern = re.compile(_STATEMENT + error, re.DOTALL)
    where = " It is in statement {statement} of the script."
    return Known(pattern=pattern, cause=cause + where, fix=fix, path=_SCRIPTS, place=of_script, page=page)


CODE = (
    _known(
        r"Catalog Error: Table with name (?P<table>\S+) does not exist",
        "The SQL reads the table `{table}`, which is neither an input of the transformation nor made by an earlier "
        "statement.",
        "Add the table to `storage.input.tables` with the destination `{table}`, or correct the name in the script.",
        "components/input-mapping.md",
    ),
    _known(
        r"SQL compilation error:\s*Object '(?P<table>[^']*)' does not exist or not authorized",
        "The SQL reads the table `{table}`, which is neither an input of the transformation nor made by an earlier "
        "statement.",
        "Add the table to `storage.input.tables` with the destination `{table}`, or correct the name in the script.",
        "components/input-mapping.md",
    ),
    _known(
        r"SQL compilation error: error line \d+ at position \d+\s*invalid identifier '(?P<column>[^']*)'",
        'None of the tables of the statement has a column "{column}".',
        "Correct its name in the script, or select the column in the input mapping.",
    ),
    _known(
        r"Catalog Error: Table with name (?P<table>\S+) already exists",
        "The SQL creates the table {table}, which is there already: as an input, or by an earlier statement.",
        "Write CREATE OR REPLACE TABLE, or choose another name.",
    ),
    _known(
        r"Catalog Error: \w+ Function with name (?P<function>\S+) does not exist",
        "The database has no function `{function}`.",
        "Use a function of DuckDB. For functions of Snowflake use a Snowflake transformation, which translates them.",
    ),
    _known(
        r"Binder Error: Referenced column (?P<column>\"[^\"]*\") not found in FROM clause!"
        r"\s*Candidate bindings: (?P<candidates>[^\n]*)",
        "None of the tables of the statement has a column {column}.",
        "Correct its name in the script. Similar names: {candidates}.",
    ),
    _known(
        r"Binder Error: Referenced column (?P<column>\"[^\"]*\") not found",
        "None of the tables of the statement has a column {column}.",
        "Correct its name in the script, or select the column in the input mapping.",
    ),
    _known(
        r"Binder Error: .*must appear in the GROUP BY clause",
        "The statement groups rows, and selects a column by which it does not group.",
        "Add the column to GROUP BY, or put it into a function such as max() or any_value().",
    ),
    _known(
        r"Binder Error: Ambiguous reference to column name (?P<column>\"[^\"]*\")",
        "Several tables of the statement have a column {column}.",
        "Write the table before it, such as `orders.{column}`.",
    ),
    _known(
        r"Binder Error: No function matches the given name and argument types '(?P<call>[^']*)'",
        "The values have other types than `{call}` needs. Columns of tables without types are texts.",
        "Convert them first, for example CAST(amount AS DOUBLE).",
        "components/sql-transformation.md#types",
    ),
    _known(
        r"Conversion Error: (?P<reason>[^\n]*)",
        "A value cannot be converted to another type: {reason}.",
        "Use TRY_CAST, which gives NULL for such values, or correct the rows.",
        "components/sql-transformation.md#types",
    ),
    _known(
        r"Constraint Error: (?P<reason>[^\n]*)",
        "Rows violate a constraint of a table: {reason}.",
        "Remove duplicates before they are inserted, for example with SELECT DISTINCT or QUALIFY row_number() = 1.",
    ),
    _known(
        r"Permission Error: ",
        "The SQL opens a file or an address, which transformations may not do.",
        "Read tables through `storage.input.tables`, and files with a Python transformation.",
    ),
    _known(
        r"Out of Memory Error: ",
        "The statement needs more memory than the job has.",
        "Split it into smaller steps, or run the job with a larger backend (`runtime.backend.type`).",
    ),
    _known(r"(?P<reason>[^\n]*)", "The database refused the statement: {reason}", "Correct the script there."),
    Known(
        pattern=re.compile(rf"The SQL of {_CODE} cannot be (?:read|translated): (?P<reason>[^\n]*(?:\n[^\n]+)?)"),
        cause="The SQL is not valid, or not supported: {reason}",
        path=_SCRIPTS,
        place=of_script,
        fix="Correct the script at the place that the message shows.",
        page=_SQL,
    ),
    Known(
        pattern=re.compile(r"The output mapping asks for the table \"(?P<value>[^\"]*)\", which no script has made"),
        cause="The output mapping has the table `{value}`, which no script creates.",
        path="storage.output.tables",
        place=of_item("storage.output.tables", "source"),
        fix="Create the table in a script, or remove it from the output mapping. Names differ by upper and lower case.",
        page="components/output-mapping.md",
    ),
    Known(
        pattern=re.compile(r"ModuleNotFoundError: No module named '(?P<package>[\w.]+)'"),
        cause="The script imports `{package}`, which is not installed.",
        place=beside_scripts("parameters.packages"),
        fix="Add the package that has it to `parameters.packages` of a Python transformation; a component of your own "
        "brings its packages with it.",
        page="components/python-transformation.md",
    ),
    Known(
        pattern=re.compile(r"The packages could not be installed|in `parameters\.packages` is not a valid package"),
        cause="A package of the transformation cannot be installed.",
        path="parameters.packages",
        fix="Check its name and version there.",
        page="components/python-transformation.md",
    ),
    Known(
        pattern=re.compile(r"FileNotFoundError: .*'(?:\S*/)?in/tables/(?P<value>[^']+)'"),
        cause="The script reads the table `{value}`, which is not an input of the transformation.",
        path="storage.input.tables",
        fix="Add it to the input mapping with the destination `{value}`.",
        page="components/input-mapping.md",
    ),
    Known(
        pattern=re.compile(r"Traceback \(most recent call last\).*\n(?P<error>\w+(?:\.\w+)*: [^\n]+)", re.DOTALL),
        cause="The script ended with an error: {error}",
        place=beside_scripts("parameters.blocks"),
        fix="Correct the line of the script that the message shows last.",
        page="components/python-transformation.md",
    ),
)
