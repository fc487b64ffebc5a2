"""Every configuration that this repository has: those of the conformance cases, and those that the pages show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[5]
CASES = ROOT / "tests" / "conformance" / "cases"
_BLOCK = re.compile(r"```json[^\n]*\n(.*?)```", re.DOTALL)


class Given(NamedTuple):
    name: str
    document: dict[str, Any]
    """A whole configuration."""
    is_refused: bool
    """Whether the extractor refuses it before it sends anything."""

    @property
    def parameters(self) -> Any:
        return self.document["parameters"]


def _whole(document: Any) -> dict[str, Any]:
    return document if "parameters" in document else {"parameters": document}


def _case(folder: Path) -> Given:
    text = (folder / "config.json").read_text().replace("{api}", "http://127.0.0.1:1").replace("{host}", "127.0.0.1:1")
    is_refused = (folder / "expected" / "error.txt").exists() and not json.loads(
        (folder / "exchanges.json").read_text()
    )
    return Given(folder.name, _whole(json.loads(text)), is_refused)


def _shown(page: Path) -> list[Given]:
    documents = [_whole(json.loads(text)) for text in _BLOCK.findall(page.read_text()) if '"api"' in text]
    name = page.relative_to(ROOT).as_posix()
    return [Given(f"{name}-{number}", document, False) for number, document in enumerate(documents, 1)]


CASE_CONFIGURATIONS = [_case(folder) for folder in sorted(CASES.iterdir()) if folder.is_dir()]
SHOWN_CONFIGURATIONS = [
    given
    for page in sorted((ROOT / "docs" / "extractor").rglob("*.md"))
    for given in _shown(page)
    if isinstance(given.parameters, dict) and "config" in given.parameters
]
