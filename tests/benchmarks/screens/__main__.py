"""The most frequent screens of the console in a browser: a project with 10,000 configurations, 300,000 jobs and 1.5M
events."""

from __future__ import annotations

import sys

from tests.benchmarks.screens.work import Window, measure_screens, measure_totals
from tests.benchmarks.works import Works, in_folder, run_works

WORKS: Works[Window] = {"totals": measure_totals, "screens": measure_screens}


if __name__ == "__main__":
    sys.exit(run_works("screens", WORKS, in_folder(Window)))
