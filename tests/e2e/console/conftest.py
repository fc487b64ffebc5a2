"""A built console, one browser for the tests of a process, and a tab for each test."""

from __future__ import annotations

from collections.abc import Generator

import oidc_provider_mock
import pytest
from playwright.sync_api import Browser

from tests.e2e.console.people import PeopleStack, open_console, set_password, start_stack
from tests.support.browser import Console, build_console, new_page, open_browser
from tests.support.mail import MailServer
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
    console = Console(new_page(browser), stack)
    yield console
    console.page.context.close()
    assert console.errors == []


@pytest.fixture(scope="session")
def new_people_stack(tmp_path_factory: pytest.TempPathFactory) -> Generator[PeopleStack]:
    """A stack that sends e-mails and has single sign-on, as its first start leaves it."""
    with MailServer() as mail, oidc_provider_mock.run_server_in_thread() as server:
        provider = f"http://localhost:{server.server_port}"
        running = start_stack(tmp_path_factory.mktemp("people") / "data", mail, provider)
        yield PeopleStack(running, mail, provider)
        running.stop()


@pytest.fixture
def people(browser: Browser, new_people_stack: PeopleStack) -> PeopleStack:
    """The same, once the first administrator has used the link that was printed."""
    if not new_people_stack.landed:
        page = open_console(browser, new_people_stack.stack).page
        set_password(page, new_people_stack.stack.greeting["loginUrl"], "Root")
        page.get_by_test_id("project").wait_for()
        new_people_stack.landed += [page.url, page.get_by_test_id("project").inner_text()]
        page.context.close()
    return new_people_stack
