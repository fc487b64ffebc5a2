"""`python -m penstock.components.snowflake_transformation`: a SQL transformation whose scripts are translated first."""

from __future__ import annotations

from penstock.components.duckdb_transformation.transform import transform
from penstock.components.program import Data, run_program
from penstock.components.scripts import Script
from penstock.extractor.base.errors import UserError
from penstock.sql.dialect import PREPARATION, SqlError, check_variables, explain_failure, translate

DATABASE, SCHEMA = "work", "main"
"""Where the tables of a transformation are."""


def transform_snowflake(data: Data) -> None:
    transform(data, preparation=PREPARATION, dialect=Snowflake())


class Snowflake:
    """Translates scripts, and remembers what each statement was translated from."""

    def __init__(self) -> None:
        self._sources: dict[str, str] = {}

    def translate(self, scripts: list[Script]) -> list[Script]:
        """Returns all scripts run in one session, so that a variable may be set in an earlier one."""
        translated = [self._translate_script(script) for script in scripts]
        variables = frozenset[str]()
        for script in scripts:
            variables = _check_variables(script, variables)
        return translated

    def explain(self, message: str, executed: str) -> str:
        error = explain_failure(message, self._sources.get(executed, executed), executed)
        return str(error) if error else message

    def _translate_script(self, script: Script) -> Script:
        try:
            statements = [
                statement for text in script.texts for statement in translate(text, database=DATABASE, schema=SCHEMA)
            ]
        except SqlError as error:
            raise UserError(f"The SQL of {script.location} cannot be translated: {error}") from error
        self._sources |= {statement.sql: statement.source for statement in statements}
        return Script(script.location, [statement.sql for statement in statements])


def _check_variables(script: Script, variables: frozenset[str]) -> frozenset[str]:
    for text in script.texts:
        try:
            variables = check_variables(text, variables)
        except SqlError as error:
            raise UserError(f"The SQL of {script.location} cannot run, and no statement has run: {error}") from error
    return variables


if __name__ == "__main__":
    raise SystemExit(run_program(transform_snowflake))
