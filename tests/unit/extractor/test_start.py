"""The start of a run: what most runs do not use is not imported, because each start would pay for it."""

from __future__ import annotations

import subprocess
import sys

RARELY_USED = (
    *("penstock.extractor.base.functions.sprintf", "penstock.extractor.records.legacy"),
    *("penstock.extractor.responses.large.find", "penstock.extractor.responses.large.pages"),
    *("penstock.foundation.strtotime", "html.entities", "difflib", "zoneinfo"),
)


def test_a_run_imports_only_what_most_runs_use():
    code = "import sys, penstock.extractor.run; print(*sys.modules, sep='\\n')"

    imported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert not set(RARELY_USED) & set(imported.splitlines())
