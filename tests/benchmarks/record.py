"""Puts the tables of a run into docs/benchmarks.md, with its date and machine: figures are not copied by hand."""

from __future__ import annotations

import os
import platform
import re
import time
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
_GIB = 2**30


def record(area: str, tables: str, page: Path = PAGE) -> None:
    """What is below the area's heading, up to the next one, is replaced."""
    heading, text = f"## The last run: {area}", page.read_text(encoding="utf-8")
    before, found, behind = text.partition(f"{heading}\n")
    if not found:
        raise SystemExit(f"{page} has no heading `{heading}`, so there is no place for the figures.")
    following = re.search(r"^## .*", behind, re.MULTILINE | re.DOTALL)
    rest = f"\n{following[0]}" if following else ""
    page.write_text(f"{before}{heading}\n\n{_circumstances()}\n\n{tables}\n{rest}", encoding="utf-8")


def _circumstances() -> str:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return (
        f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {-(-memory // _GIB)} GiB of memory, "
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}."
    )
