"""What the endpoint left on disk, and its responses."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.http import Response
from tests.support.stacks import ServicesOnly


def on_disk(services: ServicesOnly, part: str = "") -> list[Path]:
    return [path for path in (services.stack.files_folder / part).rglob("*") if path.is_file() and not path.suffix]


def code_of(response: Response) -> str:
    match = re.search("<Code>(.*)</Code><Message>.+</Message></Error>$", response.text)
    assert match
    assert response.headers["content-type"] == "application/xml"
    assert response.headers["x-ms-error-code"] == match[1]
    return match[1]
