"""What everything that is tried from outside has in common."""

from __future__ import annotations

import pytest

from tests.support.browser import CHROMIUM


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip here and not by `skipif`, so that a hundred tests are one line of the report."""
    if item.get_closest_marker("chromium") and not CHROMIUM:
        pytest.skip("No Chromium is installed: install the package chromium-headless-shell, or chromium.")
