"""Containers: the command that is given to Docker, Podman or nerdctl, and what is said where there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from penstock.runtime.exit_status import Facts, Fault, judge
from penstock.runtime.launch import Launch, Limits
from penstock.runtime.launchers import choose_launcher
from penstock.runtime.launchers.container import ContainerLauncher
from penstock.runtime.launchers.engines import EngineMissing
from penstock.runtime.launchers.local import LocalLauncher
from penstock.runtime.users import choose_user

ENGINE = """#!/bin/sh
echo "$@" >> "$HOME/said"
test "$1" = run || exit 0
echo "token $KBC_TOKEN in $KBC_DATADIR"
trap '' TERM
test -z "$KBC_SLOW" || sleep 60
"""


def launch(folder: Path, **fields: object) -> Launch:
    given = {"command": (), "folder": folder, "image": "acme/tool:1", "environment": {"KBC_TOKEN": "secret"}}
    return Launch(**{**given, **fields})  # pyright: ignore[reportArgumentType]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program that stands for the engine's command, which this machine may not have."""
    file = tmp_path / "engine"
    file.write_text(ENGINE)
    file.chmod(0o700)
    monkeypatch.setenv("HOME", str(tmp_path))
    return str(file)


def test_the_command_has_the_limits_and_no_secret(tmp_path: Path) -> None:
    limits = Limits(memory_megabytes=256, processes=100, open_files=50)
    given = launch(tmp_path, limits=limits, network="none", command=("run", "now"), readable=(Path("/opt/certs"),))
    command = " ".join(ContainerLauncher("docker").command(given, "job"))

    user = f"{os.getuid()}:{os.getgid()}" if os.getuid() else f"{choose_user(0)}:{choose_user(0)}"
    assert command == (
        "docker run --rm --init --name job --network none --memory 256m --memory-swap 256m --pids-limit 100 "
        "--ulimit nofile=50 --ulimit core=0 --cap-drop ALL --security-opt no-new-privileges "
        f"--user {user} --volume {tmp_path}:/data --workdir /data "
        "--volume /opt/certs:/opt/certs:ro --env KBC_DATADIR --env KBC_TOKEN acme/tool:1 run now"
    )


def test_podman_keeps_the_number_of_its_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 1000)  # root has the same number inside and outside

    assert "--userns keep-id" in " ".join(ContainerLauncher("podman").command(launch(tmp_path), "job"))


def test_nerdctl_is_given_only_flags_that_it_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no `--userns`: without root, the user of the stack is 0 inside. `--init` needs tini, which may be
    missing."""
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    monkeypatch.setenv("PATH", str(tmp_path))
    command = " ".join(ContainerLauncher("/usr/bin/nerdctl").command(launch(tmp_path), "job"))

    assert "--userns" not in command
    assert "--init" not in command
    assert "--user 0:0" in command
    assert "--cap-drop ALL --security-opt no-new-privileges" in command
    (tmp_path / "tini").write_text("#!/bin/sh\n")
    (tmp_path / "tini").chmod(0o755)
    assert "--init" in ContainerLauncher("/usr/bin/nerdctl").command(launch(tmp_path), "job")


def test_variables_reach_the_engine_and_the_container_is_removed_at_the_end(tmp_path: Path, engine: str) -> None:
    lines: list[str] = []
    ended = ContainerLauncher(engine).start(launch(tmp_path), lines.append).wait(30)
    begun, removed = (tmp_path / "said").read_text().splitlines()

    assert ended
    assert ended.exit_code == 0
    assert lines == ["token secret in /data/"]
    assert "secret" not in begun
    assert removed == f"rm --force {begun.split()[4]}"


def test_a_container_that_is_stopped_is_removed(tmp_path: Path, engine: str) -> None:
    environment = {"KBC_SLOW": "1", "KBC_TOKEN": "t"}
    running = ContainerLauncher(engine).start(launch(tmp_path, environment=environment), print)
    running.stop()

    assert running.wait(30)
    assert "rm --force penstock-" in (tmp_path / "said").read_text()


def test_without_an_engine_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(EngineMissing, match="none of docker, podman or nerdctl is installed here"):
        choose_launcher("container", "acme/tool:1")


def test_a_component_without_an_image_and_a_stack_without_containers_use_processes() -> None:
    assert isinstance(choose_launcher("container", ""), LocalLauncher)
    assert isinstance(choose_launcher("process", "acme/tool:1"), LocalLauncher)


def test_an_engine_that_cannot_run_says_why(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.write_text("#!/bin/sh\necho 'Cannot connect to the daemon' >&2\nexit 125\n")
    engine.chmod(0o700)
    ended = ContainerLauncher(str(engine)).start(launch(tmp_path), print).wait(30)

    assert ended
    verdict = judge(ended, Facts(name="acme/tool:1", limits=Limits()))
    assert verdict.fault is Fault.USER
    assert verdict.message == "Running acme/tool:1 container failed: Cannot connect to the daemon"
