"""Asking an action in a test."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from typing import Any

from penstock.extractor.base.log import Log
from penstock.extractor.tools.actions import run_action
from penstock.foundation.redaction import Redactor


def ask(action: str, parameters: dict[str, Any], log: io.StringIO | None = None, **top: Any) -> dict[str, Any]:
    document = {"action": action, "parameters": parameters, **top}
    return asyncio.run(run_action(document, Log(log or io.StringIO(), Redactor.of(document)), Path("cache")))


def complaint(action: str, parameters: dict[str, Any], **top: Any) -> str:
    """The sentence of an action that failed."""
    response = ask(action, parameters, **top)
    assert response["status"] == "exception", response
    return " ".join(response["traceback"])


def selected(
    base_url: str, *jobs: Any, job: str = "0", api: dict[str, Any] | None = None, **config: Any
) -> dict[str, Any]:
    """Parameters as the user interface sends them."""
    return {
        "api": {"baseUrl": base_url, **(api or {})},
        "config": {"jobs": list(jobs), **config},
        "__SELECTED_JOB": job,
    }
