"""Runs `penstock extract` as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.api import Api
from tests.support.extraction import parameters
from tests.support.patience import PATIENCE


def run(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "penstock", "extract", *map(str, arguments)]
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment_with(**environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def environment_with(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("KBC_DATADIR", "PENSTOCK_OUTBOUND")}
    return {**kept, **more}


def write_config(path: Path, document: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    return path


def config_for(api: Api, **pagination: Any) -> dict[str, Any]:
    job = {"endpoint": "users", "dataField": "items"}
    return parameters(api.url, job, pagination=pagination or None)
