"""One run of a SQL transformation: inputs become tables, scripts run, outputs are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from penstock.components.duckdb_transformation.engine import Engine, open_engine
from penstock.components.duckdb_transformation.tables import load_inputs, write_outputs
from penstock.components.program import Data
from penstock.components.scripts import Script, Transformation


class Dialect(Protocol):
    """SQL of another database."""

    def translate(self, scripts: list[Script]) -> list[Script]:
        """The scripts in the engine's dialect. Called before the first one runs."""
        ...

    def explain(self, message: str, executed: str) -> str:
        """The engine's error about a translated text, as the other database words it."""
        ...


def transform(data: Data, *, preparation: Sequence[str] = (), dialect: Dialect | None = None) -> None:
    """`preparation` is SQL that runs first."""
    scripts = data.read_parameters(Transformation).scripts
    scripts = dialect.translate(scripts) if dialect else scripts
    with open_engine(data.folder, preparation) as connection:
        engine = Engine(connection, dialect.explain if dialect else None)
        load_inputs(engine, data)
        for script in scripts:
            data.log.info(f"Running {script.place}.")
            engine.run_script(script)
        write_outputs(engine, data)
