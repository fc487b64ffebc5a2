"""What a component sees of the machine behind bubblewrap."""

from __future__ import annotations

import socket
import ssl
import sys
from pathlib import Path

import pytest

from penstock.runtime.isolation import Bubblewrap
from penstock.runtime.launch import Launch
from penstock.runtime.launchers.local import LocalLauncher
from tests.support.sandbox import NEEDS_SANDBOX

pytestmark = NEEDS_SANDBOX

TRIES = """
import sys
for path in sys.argv[1:]:
    try:
        print(repr(open(path).read()))
    except OSError as error:
        print(error.strerror)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder in a stack's folder, with neighbours."""
    for path in ("stack/jobs/7/data", "stack/jobs/8/data"):
        (tmp_path / path).mkdir(parents=True, mode=0o700)
    for path in ("stack/metadata.sqlite", "stack/key", "stack/jobs/8/data/config.json", "beside", "elsewhere"):
        (tmp_path / path).write_text("secret")
    return tmp_path / "stack/jobs/7/data"


def run(folder: Path, script: str, *arguments: object, **fields: object) -> list[str]:
    lines: list[str] = []
    words = (sys.executable, "-c", script, *map(str, arguments))
    launch = Launch(command=words, folder=folder, **fields)  # pyright: ignore[reportArgumentType]
    ended = LocalLauncher("required").start(launch, lines.append).wait(30)
    assert ended
    assert (ended.exit_code, ended.errors) == (0, "")
    return lines


def test_the_database_the_key_and_other_jobs_are_not_there(folder: Path) -> None:
    stack = folder.parents[2]
    paths = [stack / "metadata.sqlite", stack / "key", stack / "jobs/8/data/config.json", stack.parent / "beside"]
    paths += [Path("/etc/shadow")]
    way_round = Path("/proc/1/root") / stack.relative_to("/") / "key"

    for hidden in ((), (stack,)):
        assert run(folder, TRIES, *paths, hidden=hidden) == ["No such file or directory"] * len(paths)
        assert run(folder, TRIES, way_round, hidden=hidden)[0] in ("No such file or directory", "Permission denied")


def test_they_are_not_there_even_in_a_folder_that_is_readable(folder: Path) -> None:
    stack, around = folder.parents[2], folder.parents[3]
    around.chmod(0o755)
    paths = [stack / "metadata.sqlite", stack / "jobs/8/data/config.json", around / "elsewhere", around / "beside"]
    seen = run(folder, TRIES, *paths, readable=(around,), hidden=(stack, around / "elsewhere"))

    assert seen == ["No such file or directory", "No such file or directory", "Permission denied", "'secret'"]


def test_other_processes_cannot_be_seen_or_signalled(folder: Path) -> None:
    script = "import os\nprint(sum(name.isdecimal() for name in os.listdir('/proc')) < 5)\nprint(os.getpid() < 10)"

    assert run(folder, script) == ["True", "True"]


def test_only_the_data_folder_and_what_is_writable_can_be_written(folder: Path) -> None:
    script = """
import sys
for path in sys.argv[1:]:
    try:
        open(path + "/new", "w").write("x"); print("written")
    except OSError as error:
        print(error.strerror)
"""
    cache, beside = folder.parents[3] / "cache", folder.parents[3]
    cache.mkdir()
    closed = ("/", "/usr", "/etc", "/dev", sys.prefix, folder.parents[2])
    fields = {"writable": (cache,), "hidden": (folder.parents[2],)}
    seen = run(folder, script, folder, "/data", cache, "/dev/shm", beside, *closed, **fields)

    assert seen[:4] == ["written"] * 4
    assert (cache / "new").read_text() == "x"
    assert not (beside / "new").exists()
    assert seen[5:] == ["Read-only file system"] * len(closed)


def test_the_network_is_there_unless_it_is_switched_off(folder: Path) -> None:
    script = """
import socket, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5); print("connected")
except OSError as error:
    print(error.strerror)
"""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        assert run(folder, script, port) == ["connected"]
        assert run(folder, script, port, network="none") == ["Connection refused"]


def test_certificates_and_names_can_be_read(folder: Path) -> None:
    script = """
import os, socket, ssl
print(socket.gethostbyname("localhost"))
print(os.path.exists("/etc/resolv.conf"))
print(ssl.create_default_context().cert_store_stats()["x509_ca"])
"""
    seen = run(folder, script)
    here = ssl.create_default_context().cert_store_stats()["x509_ca"]

    assert seen == ["127.0.0.1", str(Path("/etc/resolv.conf").exists()), str(here)]


def test_it_has_no_privileges(folder: Path) -> None:
    script = "print(next(line for line in open('/proc/self/status') if line.startswith('CapEff')).split()[1])"

    assert run(folder, script) == ["0" * 16]


@pytest.mark.faults
def test_a_slow_machine_is_not_taken_for_one_without_a_sandbox(tmp_path: Path) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\nsleep 6\n")
    program.chmod(0o755)

    assert Bubblewrap(program=str(program), walls=(), has_filter=False).probe()
