"""Components that fail in many ways: nothing that users read of them holds a path of the machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import penstock
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.own_components import add_component, messages, run

pytestmark = pytest.mark.parametrize("services_on_each", ["sqlite"], indirect=True)

SCRIPTS = {
    "own.says": """
        print(os.environ["KBC_DATADIR"], json.dumps({"f": os.getcwd()}).replace("/", "\\\\/"))
        print(os.environ["PENSTOCK_CACHE"])
        print(sys.prefix, __file__, os.environ["TMPDIR"], file=sys.stderr)
        sys.exit(1)
    """,
    "own.raises": """
        json.loads((Path.cwd() / "in" / "state.json").read_text() + "x")
    """,
    "own.breaks": """
        print(f"broken in {os.getcwd()}", file=sys.stderr)
        sys.exit(3)
    """,
    "own.writes": """
        (out / "tables" / "a.csv").write_text("id")
        (out / "tables" / "a.csv.manifest").write_text("{")
    """,
    "own.links": """
        (out / "state.json").symlink_to(os.getcwd() + "/config.json")
    """,
    "own.tells": """
        (out / "usage.json").write_text(json.dumps([{"metric": os.getcwd(), "value": 1}]))
        (out / "files" / "x").mkdir()
        (out / "files" / "x" / "y").symlink_to("/etc/passwd")
    """,
}


def test_no_event_and_no_result_of_a_failing_component_holds_a_path(services: ServicesOnly, tmp_path: Path) -> None:
    own = tmp_path / "components-of-acme"
    own.mkdir()
    paths = {str(services.stack.folder), str(own), str(Path(penstock.__file__).parent)}
    paths |= {sys.prefix} - {"/", "/usr", "/usr/local"}
    for component_id, script in SCRIPTS.items():
        add_component(services, own, component_id, script)
        job = run(services, component_id, configData={"parameters": {}})
        said = [*messages(services, job), json.dumps(job)]
        assert len(said) > 1
        assert [(path, text) for path in paths for text in said if path in text] == [], component_id


def test_a_line_of_a_component_names_its_data_folder_as_it_knows_it(services: ServicesOnly, tmp_path: Path) -> None:
    add_component(services, tmp_path, "own.says", 'print("in", os.environ["KBC_DATADIR"] + "in/tables/a.csv")')

    job = run(services, "own.says", configData={"parameters": {}})

    assert "in /data/in/tables/a.csv" in messages(services, job)
