"""Every command and program on every page, run on a real stack as its reader would run it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.docs.pages import Page, all_pages
from tests.docs.shell import is_runnable, run_page, uses
from tests.support.stacks import ONE_WORKER, RunningStack, run_copy

PAGES = [page for page in all_pages() if is_runnable(page)]
CURL_MISSING = "curl is not installed, and the page shows it"


@pytest.fixture(scope="session")
def readers_stack(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[RunningStack]:
    """The stack beside which readers try things; pages share it, as readers would. Pages need not follow each other in
    a process, so it stays until the end."""
    stack = run_copy(new_data_folder, tmp_path_factory.mktemp("readers") / "data", *ONE_WORKER)
    yield stack
    stack.stop()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_does_what_it_says(page: Page, readers_stack: RunningStack, tmp_path: Path) -> None:
    # Root's components are another user, who has to read what a page makes here; pytest closes the folder.
    tmp_path.chmod(0o755)
    if uses(page, "curl") and not shutil.which("curl"):
        pytest.skip(CURL_MISSING)
    # Where commands look for a stack when they are not told.
    (tmp_path / ".penstock").symlink_to(readers_stack.folder)
    run_page(page, tmp_path, _port_of(readers_stack))


def _port_of(stack: RunningStack) -> int:
    return int(re.findall(r":(\d+)", stack.greeting["storageUrl"])[0])
