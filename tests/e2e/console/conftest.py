"""A built console, one browser for the tests of a process, and a tab for each test."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from playwright.sync_api import Browser

from tests.support.browser import Console, build_console, open_browser
from tests.support.stacks import RunningStack


@pytest.fixture(scope="session")
def built() -> None:
    build_console()


@pytest.fixture(scope="module")
def browser(built: None) -> Generator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture
def console(browser: Browser, stack: RunningStack) -> Generator[Console]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    console = Console(context.new_page(), stack)
    yield console
    context.close()
    assert console.errors == []
