"""Paths of the machine in texts that users read."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import penstock
from penstock.foundation.stack.server_paths import ServerPaths

FOLDER = Path("/srv/acme (1)/.penstock")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"{FOLDER}/jobs/12/0/1/in/tables/a.csv", "/data/in/tables/a.csv"),
        (f'File "{FOLDER}/jobs/12/0/1/main.py", line 3', 'File "/data/main.py", line 3'),
        (f"KBC_DATADIR={FOLDER}/jobs/12/0/1/", "KBC_DATADIR=/data/"),
        (
            f"cannot open {FOLDER}/lake/7/catalog.sqlite: file://{FOLDER}",
            "cannot open <data folder>/lake/7/catalog.sqlite: file://<data folder>",
        ),
        (f"It is in {FOLDER}.", "It is in <data folder>."),
        (f"{FOLDER}-old/x", f"{FOLDER}-old/x"),
        (
            "/data/in/tables/a.csv, /usr/bin/env, https://a.example/.penstock",
            "/data/in/tables/a.csv, /usr/bin/env, https://a.example/.penstock",
        ),
        (f"https://a.example{FOLDER}/x", f"https://a.example{FOLDER}/x"),
        (f"{Path(penstock.__file__).parent}/app.py", "<penstock>/app.py"),
    ],
)
def test_paths_of_the_stack_become_names(text: str, shown: str) -> None:
    assert ServerPaths(FOLDER).hide(text) == shown


def test_a_data_folder_with_the_name_that_components_know_stays() -> None:
    text = "/data/jobs/12/0/1/in/a.csv, /data/in/a.csv, https://a.example/data/a"

    assert ServerPaths(Path("/data")).hide(text) == "/data/in/a.csv, /data/in/a.csv, https://a.example/data/a"


@pytest.mark.parametrize("times", [1, 2])
def test_paths_in_json_with_escaped_slashes_are_found(times: int) -> None:
    text = f"{FOLDER}/jobs/12/0/1/a and {FOLDER}/key"
    for _ in range(times):
        text = json.dumps(text).replace("/", "\\/")

    hidden = ServerPaths(FOLDER).hide(text)

    assert "acme" not in hidden
    assert "/data" in hidden


def test_a_folder_behind_a_link_is_hidden_under_both_names(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    paths = ServerPaths(tmp_path / "link")

    assert paths.hide(f"{tmp_path}/link/key {tmp_path}/real/key") == "<data folder>/key <data folder>/key"


@pytest.mark.skipif(sys.prefix in ("/", "/usr", "/usr/local"), reason="This Python is where every machine has it.")
def test_the_folder_of_python_is_hidden() -> None:
    assert ServerPaths(FOLDER).hide(f"{sys.prefix}/lib/python/x.py") == "<python>/lib/python/x.py"
