"""`python -m penstock.components.snowflake_transformation`: a SQL transformation whose scripts are translated first."""

from __future__ import annotations

from penstock.components.duckdb_transformation.engine import Engine
from penstock.components.duckdb_transformation.transform import transform
from penstock.components.program import Data, run_program
from penstock.components.scripts import Script
from penstock.extractor.errors import UserError
from penstock.sql.dialect.errors import NotTranslated
from penstock.sql.dialect.functions import FUNCTIONS
from penstock.sql.dialect.translate import translate

SETTINGS = {
    "default_null_order": "nulls_last_on_asc_first_on_desc",
    "ieee_floating_point_ops": "false",
}
"""Sort order of Snowflake; a division by zero is NULL, because `inf` is not a valid number for readers of the table."""


def transform_snowflake(data: Data) -> None:
    transform(data, prepare=_add_functions, translate=_translate_script, settings=SETTINGS)


def _add_functions(engine: Engine) -> None:
    for function in FUNCTIONS:
        engine.run(function, "Adding the functions of Snowflake")


def _translate_script(script: Script) -> Script:
    try:
        return Script(script.place, [translate(text) for text in script.texts])
    except NotTranslated as error:
        raise UserError(f"The SQL of {script.place} cannot be translated: {error}") from error


if __name__ == "__main__":
    raise SystemExit(run_program(transform_snowflake))
