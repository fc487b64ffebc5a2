"""A worker that is killed while it unpacks a program leaves nothing that another one would run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.services.developer import interface as developer
from penstock.services.developer import programs
from tests.support.stacks import ServicesOnly, clean_environment, wait_for
from tests.unit.services.developer.portal import Portal, zip_of

pytestmark = pytest.mark.faults

FILES = 5_000
UNPACK = """
import sys
from penstock.app import open_from, outbound_policy
from penstock.services.developer import interface as developer
from penstock.settings import Settings

folder, cache, component_id, database = sys.argv[1:]
settings = Settings(data_dir=folder, component_cache=cache, database=database or None)
stack = open_from(settings, outbound_policy(settings, "127.0.0.1:1"))
with stack.database.reading() as tx:
    component = developer.find_component(tx, component_id)
developer.place_program(stack, component)
"""


def test_a_worker_that_is_killed_while_it_unpacks_leaves_nothing_to_run(shared: ServicesOnly, tmp_path: Path) -> None:
    app = Portal(shared).make_vendor().create_app()
    manifest = {"id": app.id, "name": "Many", "type": "other", "command": ["python", "main.py"]}
    many = {f"data/{number}.txt": f"{number}" * 100 for number in range(FILES)}
    assert app.upload(zip_of({"component.json": json.dumps(manifest), "main.py": "", **many})).status == 201
    app.approve()
    cache = tmp_path / "cache"
    command = [sys.executable, "-c", UNPACK, str(shared.stack.folder), str(cache), app.id]

    for wanted in (1, FILES // 4, FILES // 2):
        child = subprocess.Popen([*command, shared.settings.database or ""], env=clean_environment())
        wait_for(lambda wanted=wanted: len(list(cache.glob("*.partial/data/*"))) >= wanted)
        child.kill()
        child.wait()
        assert [path for path in cache.iterdir() if path.is_dir() and not path.suffix] == []

    stack = shared.stack.with_settings(component_cache=str(cache))
    with stack.database.reading() as tx:
        component = developer.find_component(tx, app.id)
    assert component
    placed = programs.place_program(stack, component)
    assert placed.folder
    assert len(list((placed.folder / "data").iterdir())) == FILES
    assert list(cache.glob("*.partial")) == []
