"""One run of a SQL transformation: inputs become tables, scripts run, outputs are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from penstock.components.duckdb_transformation.engine import Engine, open_engine
from penstock.components.duckdb_transformation.tables import load_inputs, write_outputs
from penstock.components.program import Data
from penstock.components.scripts import Script, Transformation


def transform(
    data: Data,
    *,
    preparation: Sequence[str] = (),
    translate: Callable[[list[Script]], list[Script]] | None = None,
) -> None:
    """`preparation` is SQL that runs first; `translate` converts the scripts to the engine's dialect, all of them
    before the first one runs."""
    scripts = data.read_parameters(Transformation).scripts
    scripts = translate(scripts) if translate else scripts
    with open_engine(data.folder, preparation) as connection:
        engine = Engine(connection)
        load_inputs(engine, data)
        for script in scripts:
            data.log.info(f"Running {script.place}.")
            engine.run_script(script)
        write_outputs(engine, data)
