"""Commands as processes of their own. `penstock extract`: a configuration in; exit code, lines and tables out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.extraction import Extraction
from tests.support.patience import PATIENCE

OTHERS = ("PENSTOCK_", "KBC_", "SSL_CERT_", "REQUESTS_CA_")


@dataclass(frozen=True)
class Finished(Extraction):
    """A run that came to an end; `log` is its standard output."""

    code: int = 0
    stderr: str = ""

    @property
    def all_output(self) -> str:
        return self.log + self.stderr

    def lines(self, level: str) -> list[str]:
        """The messages of that level, in order."""
        marked = (line.partition(f"logger.{level}: ") for line in self.log.splitlines())
        return [message.removesuffix(" [] []") for _, mark, message in marked if mark]


def run_command(*words: str | Path, folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """`penstock …`, in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "penstock", *map(str, words)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def extract(document: dict[str, Any], folder: Path) -> Finished:
    """Takes parameters, or a whole configuration with `parameters` in it; the tables go to the folder's `out`."""
    (folder / "config.json").write_text(json.dumps(document))
    done = run_command("extract", "config.json", folder=folder, environment=_environment())
    assert "Traceback" not in done.stdout + done.stderr
    return Finished(folder / "out", done.stdout, code=done.returncode, stderr=done.stderr)


def _environment() -> dict[str, str]:
    """Without what whoever runs the tests has set for programs of their own."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(OTHERS) and not name.lower().endswith("_proxy")
    }
