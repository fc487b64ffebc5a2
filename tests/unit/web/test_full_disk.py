"""On a full disk every row of every service either works or is refused with the same sentence; none is a surprise."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.app import list_services
from tests.support.stacks import ServicesOnly
from tests.unit.foundation.files.test_ballast import fill

ROWS = [(service.id, row) for service in list_services() for row in service.routes]


@pytest.fixture(scope="module")
def full(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    disk = tmp_path_factory.mktemp("disk")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("Making a small disk needs the right to mount one.")
    shutil.copytree(new_data_folder, disk / "data")
    stack = ServicesOnly(disk / "data")
    stack.stack.ballast.fill()
    fill(disk)
    yield stack
    stack.close()
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_what_takes_room_is_refused_and_everything_else_works(full: ServicesOnly) -> None:
    surprises: list[str] = []
    # Deletions are left out: what they would delete here is the token that asks.
    for service, row in ROWS:
        if row.method != "DELETE":
            response = full.service(service).send(row.method, re.sub(r"\{[^}]*\}", "1", row.path))
            is_refused = response.status == 503 and response.headers.get("retry-after") == "5"
            expected = (
                is_refused or response.status in (401, 403) if row.needs_room else response.status in (*range(500), 501)
            )
            if not expected:
                surprises.append(f"{row.method} {service}{row.path}: {response.status} {response.text[:200]}")

    assert surprises == []


def test_a_full_disk_is_told_with_a_code_and_a_time(full: ServicesOnly) -> None:
    storage, queue = full.service("storage"), full.service("queue")
    made = storage.post("/v2/storage/buckets", {"name": "a", "stage": "in"})
    started = queue.post("/jobs", {"component": "ex-generic-v2", "config": "sample-orders"})

    assert (made.status, made.json["code"], made.headers["retry-after"]) == (503, "diskFull", "5")
    assert "Nothing was changed" in made.json["error"]
    assert (started.status, started.headers["retry-after"]) == (503, "5")
    configs = "/v2/storage/components/ex-generic-v2/configs"
    assert storage.delete(f"{configs}/sample-orders").status == 204
    assert [each["id"] for each in storage.get(configs).json] == ["sample-customers"]
