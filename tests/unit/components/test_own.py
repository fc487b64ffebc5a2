"""A component written with the library `keboola.component`, unmodified, in a data folder as jobs get it."""

from __future__ import annotations

import json
from pathlib import Path

from penstock.components.manifest import read_manifest
from tests.support.components import Trial

OWN = Path(__file__).parent / "own"
COMPONENT = read_manifest(OWN).to_component(OWN)


def test_it_reads_and_writes_as_the_library_does(trial: Trial) -> None:
    trial.add_table("numbers.csv", "id,n\n1,10\n2,20\n")
    trial.state = {"runs": 4}

    done = trial.run(COMPONENT, {"parameters": {"factor": 3, "#key": "swordfish"}})

    assert done.code == 0, done.all_output
    assert done.rows("numbers-made.csv") == [["id", "n"], ["1", "30"], ["2", "60"]]
    manifest = json.loads(done.text("tables/numbers-made.csv.manifest"))
    assert (manifest["destination"], manifest["incremental"]) == ("out.c-x.made", True)
    assert json.loads(done.text("state.json")) == {"runs": 5}
    assert "Ran 5 times" in done.all_output


def test_its_user_errors_are_sentences(trial: Trial) -> None:
    done = trial.run(COMPONENT, {"parameters": {"factor": -1, "#key": "x"}})

    assert done.code == 1
    assert "The factor must not be negative." in done.errors
