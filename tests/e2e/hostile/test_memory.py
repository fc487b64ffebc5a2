"""Answers that are made to fill the memory, read by the real command: how much it takes at most."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from pathlib import Path
from random import Random

import pytest

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.model import make_data
from tests.e2e.hostile.paging import WAYS
from tests.e2e.hostile.runs import configuration
from tests.e2e.hostile.scenario import ALWAYS, Scenario, Variant
from tests.e2e.hostile.server import serving
from tests.support.patience import PATIENCE
from tests.support.stacks import clean_environment

MEGABYTE = 1 << 20
BLOCK = b" " * MEGABYTE
WATCHER = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""
"""Starts the command from a process that is small: a child counts the memory of its parent as its own at first."""


async def _bomb(exchange: Exchange) -> None:
    """128 MB in 128 kB."""
    packer = zlib.compressobj(9)
    packed = b"".join([packer.compress(b'{"items":['), *(packer.compress(BLOCK) for _ in range(128)), packer.flush()])
    await exchange.response(packed, [*exchange.headers, ("Content-Encoding", "deflate")])


async def _long_text(exchange: Exchange) -> None:
    """One value of 100 MB."""
    body = b'{"items":[{"id":1,"name":"' + b"x" * (100 * MEGABYTE) + b'"}]}'
    await exchange.response(body)


def _scenario(variant: Variant) -> Scenario:
    return Scenario("memory", WAYS["offset"], variant, make_data(Random(1)), 0)


def _run(variant: Variant, folder: Path) -> tuple[int, str, float]:
    """Exit code, standard error, and the most memory in megabytes."""
    scenario = _scenario(variant)
    folder.mkdir()
    with serving(scenario) as api:
        (folder / "config.json").write_text(json.dumps(configuration(scenario, api)))
        done = subprocess.run(
            [sys.executable, "-c", WATCHER, sys.executable, "-m", "penstock", "extract", "config.json"],
            cwd=folder,
            env=clean_environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    unit = 1 if sys.platform == "darwin" else 1024
    return done.returncode, done.stderr, int(done.stdout) * unit / MEGABYTE


@pytest.mark.faults
def test_a_bomb_takes_no_more_memory_than_an_ordinary_page(tmp_path: Path):
    _, _, usual = _run(Variant("nothing"), tmp_path / "usual")
    code, said, most = _run(Variant("bomb", _bomb, ALWAYS), tmp_path / "bomb")

    assert (code, "unpacks to more than 1,000 times its size" in said) == (1, True)
    assert most < usual + 64


@pytest.mark.faults
def test_a_text_of_100_megabytes_is_refused_before_it_is_in_memory(tmp_path: Path):
    _, _, usual = _run(Variant("nothing"), tmp_path / "usual")
    code, said, most = _run(Variant("long text", _long_text, ALWAYS), tmp_path / "run")

    assert (code, "cannot be read" in said) == (1, True), said[:300]
    assert most < usual + 64
