"""Which container engine is used: the first that answers, asked once in a while."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.runtime.launchers import check_launchable, choose_launcher, engines
from penstock.runtime.launchers.container import ContainerLauncher
from penstock.runtime.launchers.engines import EngineMissing, find_engine, get_engine
from penstock.runtime.launchers.local import ImageOnly, LocalLauncher

RUNS = '#!/bin/sh\necho "$@" >> "$HOME/asked"\n'
STOPPED = RUNS + "echo 'Cannot connect to the daemon.' >&2\nexit 1\n"
IMAGE = "acme/tool:1"


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def add_command(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)
    return str(folder / name)


@pytest.mark.parametrize("name", engines.ENGINES)
def test_an_engine_that_answers_is_used(commands: Path, name: str) -> None:
    path = add_command(commands, name, RUNS)

    assert (find_engine().engine, find_engine().name, get_engine()) == (path, name, path)
    assert isinstance(choose_launcher("auto", IMAGE, has_command=False), ContainerLauncher)


def test_the_first_engine_that_answers_is_used(commands: Path) -> None:
    add_command(commands, "docker", STOPPED)
    podman = add_command(commands, "podman", RUNS)
    add_command(commands, "nerdctl", RUNS)

    assert get_engine() == podman


def test_an_engine_is_asked_once_in_a_while(commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_command(commands, "docker", STOPPED)
    for _ in range(3):
        with pytest.raises(EngineMissing, match=r"its engine cannot be used \(Cannot connect to the daemon\)"):
            get_engine(IMAGE)
    assert (commands / "asked").read_text() == "ps --quiet\n"

    now = engines.time.monotonic()
    monkeypatch.setattr(engines.time, "monotonic", lambda: now + engines.UNUSABLE_SECONDS + 1)
    add_command(commands, "docker", RUNS)
    assert get_engine(IMAGE), "one that was started meanwhile is found"


def test_an_engine_that_does_not_answer_in_time_is_not_used(commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "PROBE_SECONDS", 0.1)
    add_command(commands, "docker", "#!/bin/sh\nexec /bin/sleep 60\n")

    assert "did not answer within" in find_engine().reason


def test_a_command_that_cannot_be_started_is_not_used(commands: Path) -> None:
    add_command(commands, "docker", "not a program")

    assert find_engine().engine == ""
    assert "docker is installed, but its engine cannot be used" in find_engine().reason


@pytest.mark.usefixtures("commands")
def test_without_an_engine_only_what_needs_one_is_refused() -> None:
    for kind in ("auto", "process"):
        check_launchable(kind, IMAGE, has_command=True)
        assert isinstance(choose_launcher(kind, IMAGE), LocalLauncher)
    for kind in ("auto", "process", "container"):
        check_launchable(kind, "", has_command=True)
    with pytest.raises(EngineMissing, match="none of docker, podman or nerdctl is installed here"):
        check_launchable("auto", IMAGE, has_command=False)
    with pytest.raises(EngineMissing, match="none of docker, podman or nerdctl is installed here"):
        check_launchable("container", IMAGE, has_command=True)
    with pytest.raises(ImageOnly, match="which needs Docker, Podman or nerdctl"):
        check_launchable("process", IMAGE, has_command=False)


def test_auto_runs_a_component_with_an_image_in_a_container_where_it_can(commands: Path) -> None:
    add_command(commands, "podman", RUNS)

    assert isinstance(choose_launcher("auto", IMAGE), ContainerLauncher)
    assert isinstance(choose_launcher("auto", ""), LocalLauncher)
    assert isinstance(choose_launcher("process", IMAGE), LocalLauncher)
