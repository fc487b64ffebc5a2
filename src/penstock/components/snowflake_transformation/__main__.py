"""`python -m penstock.components.snowflake_transformation`: a SQL transformation whose scripts are translated first."""

from __future__ import annotations

from penstock.components.duckdb_transformation.transform import transform
from penstock.components.program import Data, run_program
from penstock.components.scripts import Script
from penstock.extractor.errors import UserError
from penstock.sql.dialect import PREPARATION, SqlError, check_variables, translate

DATABASE, SCHEMA = "work", "main"
"""Where the tables of a transformation are."""


def transform_snowflake(data: Data) -> None:
    transform(data, preparation=PREPARATION, translate=_translate_scripts)


def _translate_scripts(scripts: list[Script]) -> list[Script]:
    """All scripts run in one session, so that a variable may be set in an earlier one."""
    translated = [_translate_script(script) for script in scripts]
    variables = frozenset[str]()
    for script in scripts:
        variables = _check_variables(script, variables)
    return translated


def _translate_script(script: Script) -> Script:
    try:
        return Script(
            script.place,
            [each.sql for text in script.texts for each in translate(text, database=DATABASE, schema=SCHEMA)],
        )
    except SqlError as error:
        raise UserError(f"The SQL of {script.place} cannot be translated: {error}") from error


def _check_variables(script: Script, variables: frozenset[str]) -> frozenset[str]:
    for text in script.texts:
        try:
            variables = check_variables(text, variables)
        except SqlError as error:
            raise UserError(f"The SQL of {script.place} cannot run, and no statement has run: {error}") from error
    return variables


if __name__ == "__main__":
    raise SystemExit(run_program(transform_snowflake))
