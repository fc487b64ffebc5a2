"""Clients as a process of its own: started with what they need to know, then told to begin."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from penstock.settings import Settings
from tests.support.stacks import RunningStack, clean_environment

ROOT = Path(__file__).parents[3]
END_SECONDS = 400
"""How long a program may take after its time is over."""


def start(
    stack: RunningStack, program: str, seconds: float | None, tokens: list[str], **more: Any
) -> subprocess.Popen[str]:
    """`program` is a module beside this one. Without a time, it ends when it is told to."""
    bare = f"http://127.0.0.1:{urlsplit(stack.greeting['storageUrl']).port}"
    services = {name: f"{bare}/_svc/{name}" for name in ("encryption", "management", "query")}
    wish = {
        **services,
        "bare": bare,
        "storage": stack.greeting["storageUrl"],
        "queue": stack.greeting["queueUrl"],
        "httpsUrl": stack.greeting.get("httpsStorageUrl"),
        "authority": stack.greeting.get("authorityFile"),
        "sqlPort": stack.greeting.get("sqlPort"),
        "domain": Settings().domain,
        "tokens": tokens,
        "seconds": seconds,
        **more,
    }
    command = [sys.executable, "-m", f"tests.e2e.soak.{program}", json.dumps(wish)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=clean_environment()
    )


def wait_until_ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout
    assert process.stdout.readline() == "ready\n"


def tell(process: subprocess.Popen[str], line: str) -> None:
    """`begin` or `end`."""
    assert process.stdin
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def finish(process: subprocess.Popen[str], seconds: float) -> Any:
    """Return the document that the program prints at its end."""
    output, _ = process.communicate(timeout=seconds + END_SECONDS)
    assert process.returncode == 0
    return json.loads(output)
