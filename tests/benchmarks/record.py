"""Puts the tables of a run into docs/benchmarks.md, with its date and machine: figures are not copied by hand."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

from tests.benchmarks.measure import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
HEADING = "## The last run"
_GIB = 2**30


def record(tables: str, page: Path = PAGE) -> None:
    """Everything below the heading is replaced."""
    before, found, _ = page.read_text(encoding="utf-8").partition(f"{HEADING}\n")
    if not found:
        raise SystemExit(f"{page} has no heading `{HEADING}`, so there is no place for the figures.")
    page.write_text(f"{before}{HEADING}\n\n{_circumstances()}\n\n{tables}\n", encoding="utf-8")


def _circumstances() -> str:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return (
        f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {-(-memory // _GIB)} GiB of memory, "
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}."
    )
