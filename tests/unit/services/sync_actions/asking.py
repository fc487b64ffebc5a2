"""Actions of a component for tests, and how they are asked for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.support.http import Response
from tests.support.stacks import ServicesOnly

OWN = "own.actions"
NAP = f"97531.{os.getpid()}"
"""Seconds that nobody else sleeps, another process of the tests included: by them the process is found."""
SCRIPT = f"""
import subprocess, time
action, parameters = config["action"], config["parameters"]
if action == "echo":
    print(parameters["text"], end="")
elif action == "dump":
    kept = {{name: value for name, value in os.environ.items() if name.startswith("KBC_")}}
    print(json.dumps({{"config": config, "env": kept, "length": len(str(parameters.get("#secret")))}}))
elif action == "fail":
    sys.stderr.write(f"It does not work: {{parameters.get('#secret')}}")
    sys.exit(parameters["code"])
elif action == "flood":
    print(json.dumps("x" * parameters["size"]))
elif action == "nap":
    subprocess.run(["sleep", "{NAP}"])
"""
ACTIONS = ["echo", "dump", "fail", "flood", "nap"]


def ask(services: ServicesOnly, action: str, token: str | None = None, **parameters: Any) -> Response:
    return send(services, action, {"parameters": parameters}, token)


def send(services: ServicesOnly, action: str, config_data: Any, token: str | None = None, **more: Any) -> Response:
    body = {"componentId": OWN, "action": action, "configData": config_data, **more}
    return services.service("sync-actions", token).post("/actions", body)


def is_napping() -> bool:
    """Whether a process of the action `nap` is there, its sandbox not counted."""
    return any(_read(path).startswith(f"sleep\0{NAP}".encode()) for path in Path("/proc").glob("[0-9]*/cmdline"))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def folders(services: ServicesOnly) -> list[Path]:
    """Of actions that run."""
    folder = services.stack.folder / "actions"
    return list(folder.iterdir()) if folder.exists() else []
