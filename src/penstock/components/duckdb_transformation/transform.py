"""One run of a SQL transformation: inputs become tables, scripts run, outputs are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from penstock.components.duckdb_transformation.engine import Engine, open_engine
from penstock.components.duckdb_transformation.tables import load_inputs, write_outputs
from penstock.components.program import Data
from penstock.components.scripts import Script, Transformation

NO_SETTINGS: Mapping[str, str] = {}


def transform(
    data: Data,
    *,
    prepare: Callable[[Engine], None] | None = None,
    translate: Callable[[Script], Script] | None = None,
    settings: Mapping[str, str] = NO_SETTINGS,
) -> None:
    """`prepare` is called before the inputs are loaded; `translate` converts each script to the engine's dialect."""
    scripts = data.read_parameters(Transformation).scripts
    with open_engine(data.folder, settings) as connection:
        engine = Engine(connection)
        if prepare:
            prepare(engine)
        load_inputs(engine, data)
        for script in scripts:
            data.log.info(f"Running {script.place}.")
            engine.run_script(translate(script) if translate else script)
        write_outputs(engine, data)
