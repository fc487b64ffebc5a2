"""What the endpoint left on disk, and what it said."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.http import Answer
from tests.support.stacks import ServicesOnly


def on_disk(services: ServicesOnly, part: str = "") -> list[Path]:
    return [path for path in (services.stack.files_folder / part).rglob("*") if path.is_file() and not path.suffix]


def code_of(answer: Answer) -> str:
    match = re.search("<Code>(.*)</Code><Message>.+</Message></Error>$", answer.text)
    assert match
    assert answer.headers["content-type"] == "application/xml"
    assert answer.headers["x-ms-error-code"] == match[1]
    return match[1]
