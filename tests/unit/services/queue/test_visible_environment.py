"""What code of users sees of its surroundings: nothing that the operator has set for himself."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from penstock.components.python_transformation import INSTALLER_SETTINGS
from tests.support.stacks import ServicesOnly
from tests.unit.components.test_python_transformation import make_wheel
from tests.unit.services.queue.own_components import add_component, messages, run

PYTHON = "keboola.python-transformation-v2"
LOOK = """
import glob, os
seen = [repr(dict(os.environ)).encode()]
for place in ("/proc/[0-9]*/environ", "/proc/[0-9]*/cmdline", "/data/**", os.environ["KBC_DATADIR"] + "**"):
    for name in glob.glob(place, recursive=True, include_hidden=True):
        try:
            seen.append(open(name, "rb").read())
        except OSError:
            pass
for word in ("proxy", "index"):
    print("saw", word, any(f"canary-{word}".encode() in text for text in seen))
print("looked at", len(seen) > 1)
"""


@pytest.fixture
def services(new_data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[ServicesOnly]:
    for name in INSTALLER_SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://user:canary-index@packages.example.com/simple")
    shutil.copytree(new_data_folder, tmp_path / "data")
    stack = ServicesOnly(tmp_path / "data", proxy="http://user:canary-proxy@127.0.0.1:9")
    yield stack
    stack.close()


def script(*lines: str, **more: Any) -> dict[str, Any]:
    return {"parameters": {"blocks": [{"name": "b", "codes": [{"name": "c", "script": list(lines)}]}], **more}}


def test_a_script_sees_no_password_of_the_proxy_or_the_package_index(services: ServicesOnly) -> None:
    job = run(services, PYTHON, configData=script(LOOK))

    assert job["status"] == "success", job["result"]
    assert {"saw proxy False", "saw index False", "looked at True"} <= set(messages(services, job))


def test_a_component_of_ones_own_sees_none_either(services: ServicesOnly, tmp_path: Path) -> None:
    add_component(services, tmp_path, "acme.look", LOOK)
    job = run(services, "acme.look", configData={})

    assert job["status"] == "success", job["result"]
    assert {"saw proxy False", "saw index False", "looked at True"} <= set(messages(services, job))


def test_packages_still_come_from_where_the_operator_says(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In the project's cache, which a sandbox shows.
    index = services.stack.folder / "cache" / str(services.project.id) / "simple"
    (index / "greeting").mkdir(parents=True)
    wheel = make_wheel(index / "greeting")
    (index / "greeting/index.html").write_text(f'<!DOCTYPE html><a href="{wheel.name}">{wheel.name}</a>')
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL")
    monkeypatch.setenv("PIP_INDEX_URL", index.as_uri())
    job = run(services, PYTHON, configData=script("import greeting; print(greeting.WORD)", packages=["greeting"]))

    assert job["status"] == "success", job["result"]
    assert "hello" in messages(services, job)
