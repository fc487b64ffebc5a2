"""Fixtures for every test."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.examples import IS_SOAK, list_left_out
from tests.support.made_once import make_once
from tests.support.postgresql import NewStack, PostgresServer
from tests.support.stacks import RunningStack, ServicesOnly, kill_all, run_copy
from tests.support.syncing import leave_out_syncs

# How long an example takes says more about the machine and its other guests than about the code.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples for everyone: a change is judged by what it changes. `make soak` looks for new ones, and tries a
# hundred of each.
settings.register_profile("repeat", settings.get_profile("explore"), derandomize=True, max_examples=15)
settings.load_profile(os.environ.get("PENSTOCK_EXAMPLES", "repeat"))


def pytest_configure() -> None:
    leave_out_syncs()
    # Nothing of what listing the tests makes is garbage.
    gc.disable()
    # A shell ignores Ctrl-C for what it starts in the background, and a child would take that over.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Whoever names a test wants all of its cases.
    if IS_SOAK or any("::" in word for word in config.args):
        return
    left_out = list_left_out(items)
    config.hook.pytest_deselected(items=left_out)
    dropped = set(left_out)
    items[:] = [item for item in items if item not in dropped]


def pytest_collection_finish() -> None:
    # Twelve thousand tests stay until the end: the collector need not go through them again and again. A test makes
    # thousands of objects and ends soon: to collect after every 700 takes a twentieth of the time, and frees little.
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


def pytest_sessionfinish() -> None:
    kill_all()


@pytest.fixture(scope="session")
def new_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as the first start leaves it; copied, since making one takes a while."""
    return make_once(tmp_path_factory, "new", _make_stack)[0]


def _make_stack(folder: Path) -> None:
    """With the umask of `penstock up`."""
    before = os.umask(0o077)
    try:
        ServicesOnly(folder).close()
    finally:
        os.umask(before)


@pytest.fixture
def services(new_data_folder: Path, tmp_path: Path) -> Generator[ServicesOnly]:
    """The services of a new stack, for one test."""
    shutil.copytree(new_data_folder, tmp_path / "data")
    stack = ServicesOnly(tmp_path / "data")
    yield stack
    stack.close()


@pytest.fixture(scope="session")
def postgresql() -> Generator[PostgresServer]:
    """One PostgreSQL for all tests of a process; skips where there is none."""
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def new_stack_on_postgresql(postgresql: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> NewStack:
    return NewStack(postgresql, tmp_path_factory.mktemp("new-on-postgresql") / "data")


@pytest.fixture(params=["sqlite", "postgresql"])
def services_on_each(request: pytest.FixtureRequest, new_data_folder: Path, tmp_path: Path) -> Generator[ServicesOnly]:
    """The services of a new stack, once on each database; their jobs may reach loopback."""
    folder = tmp_path / "data"
    if request.param == "postgresql":
        made: NewStack = request.getfixturevalue("new_stack_on_postgresql")
        stack = made.copy(folder, allow_hosts=["127.0.0.1"])
        yield stack
        made.close(stack)
    else:
        shutil.copytree(new_data_folder, folder)
        stack = ServicesOnly(folder, allow_hosts=["127.0.0.1"])
        yield stack
        stack.close()


@pytest.fixture(scope="session")
def stack(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[RunningStack]:
    """One whole stack for all tests of a process that neither stop nor break it; its jobs may reach loopback."""
    running = run_copy(new_data_folder, tmp_path_factory.mktemp("stack") / "data", "--allow-host", "127.0.0.1")
    yield running
    running.stop()
