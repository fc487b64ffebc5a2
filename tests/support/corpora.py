"""Attacks as data: files in `tests/data/`, one line each, so that one more needs no code.

A text file has comments after `# ` at the start of a line or after two spaces. A JSON Lines file has one object per
line, which says in `is` what it is.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"


def read_lines(name: str) -> list[str]:
    lines = (re.split(r"(?:^|\s\s+)#\s", line)[0].strip() for line in (DATA / name).read_text("utf-8").splitlines())
    return [line for line in lines if line]


def read_words(name: str) -> list[list[str]]:
    return [line.split() for line in read_lines(name)]


def read_objects(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").split("\n") if line]
