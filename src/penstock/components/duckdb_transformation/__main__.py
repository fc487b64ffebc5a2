"""`python -m penstock.components.duckdb_transformation`: inputs become tables, scripts run, outputs are written."""

from __future__ import annotations

from penstock.components.duckdb_transformation.engine import Engine, open_engine
from penstock.components.duckdb_transformation.tables import load_inputs, write_outputs
from penstock.components.program import Data, run_program
from penstock.components.scripts import Transformation


def transform(data: Data) -> None:
    scripts = data.read_parameters(Transformation).scripts
    with open_engine(data.folder) as connection:
        engine = Engine(connection)
        load_inputs(engine, data)
        for script in scripts:
            data.log.info(f"Running {script.place}.")
            engine.run_script(script)
        write_outputs(engine, data)


if __name__ == "__main__":
    raise SystemExit(run_program(transform))
