"""`penstock doctor`."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from penstock.app import find_schema
from penstock.cli.doctor import contents, folder, machine, names, network, sandbox, trust
from penstock.foundation import clock
from penstock.foundation.files import locks
from penstock.server.certificates import Secure, StackFiles, init_certificates
from penstock.server.running import Running
from penstock.server.sandbox import SandboxRule
from penstock.settings import Settings
from tests.support.authority import Authority
from tests.support.sandbox import bubblewrap_missing
from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock

FORMAT = find_schema().format


def findings(output: str) -> dict[str, dict[str, Any]]:
    return {check["name"]: check for check in json.loads(output)["checks"]}


def test_a_running_stack_is_healthy(penstock_process: Penstock, stack: RunningStack) -> None:
    port = stack.greeting["storageUrl"].split(":")[2].split("/")[0]

    ended = penstock_process("doctor", "--json", "--data-dir", stack.folder, "--port", port)

    found = findings(ended.stdout)
    assert ended.returncode == 0, ended.stdout
    assert found["stack"]["text"].startswith(f"answers at {stack.greeting['storageUrl']}")
    assert f"held by the stack of this folder (process {stack.process.pid})" in found["port"]["text"]
    assert {found[name]["state"] for name in ("format", "key", "database", "tables", "DuckDB", "clock")} == {"ok"}
    assert found["jobs"]["text"].startswith("they can run: a component wrote a table in ")
    assert list((stack.folder / "jobs").glob("penstock-doctor-*")) == []


def test_a_machine_without_a_stack_is_healthy_too(penstock: Penstock) -> None:
    ended = penstock("doctor", "--port", "0")

    assert ended.returncode == 0
    assert "note   data folder" in ended.stdout
    assert "`penstock up` creates it" in ended.stdout


def test_what_is_wrong_comes_with_its_fix_and_an_exit_code(penstock_process: Penstock, new_data_folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = penstock_process("doctor", "--data-dir", new_data_folder, "--port", port)

    assert ended.returncode == 1
    assert f"wrong  port         Port {port} is taken by process" in ended.stdout
    assert "ok     database     whole; format" in ended.stdout
    assert "penstock up --port N" in ended.stdout


def test_a_stack_that_does_not_answer_is_wrong(penstock: Penstock, tmp_path: Path) -> None:
    dead = "http://127.0.0.1:1/_svc/storage"
    greeting = {"storageUrl": dead, "queueUrl": dead, "portalUrl": dead, "projectId": 1, "token": "t"}
    (tmp_path / "running.json").write_text(json.dumps({**greeting, "pid": os.getpid()}))
    lock = locks.try_to_hold(tmp_path / "up.lock")

    ended = penstock("doctor", "--json", "--data-dir", tmp_path, "--port", "0")
    assert lock
    lock.close()

    assert ended.returncode == 1
    assert "does not respond" in findings(ended.stdout)["stack"]["text"]


@pytest.mark.parametrize(("number", "state"), [("1", "note"), (str(FORMAT), "ok"), ("999", "wrong"), ("x", "wrong")])
def test_a_format_is_compared_with_ours(tmp_path: Path, number: str, state: str) -> None:
    (tmp_path / "format").write_text(number)

    assert folder.check_format(tmp_path).state == state


@pytest.mark.parametrize(("mode", "state"), [(0o700, "ok"), (0o711, "ok"), (0o755, "wrong"), (0o750, "wrong")])
def test_others_may_pass_through_what_is_in_the_data_folder_and_not_read_it(
    tmp_path: Path, mode: int, state: str
) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files").chmod(mode)

    found = folder.check_permissions(tmp_path)

    assert found.state == state
    assert (str(tmp_path / "files") in found.fix) == (state == "wrong")


def test_a_key_that_others_can_read_is_wrong(tmp_path: Path) -> None:
    key = tmp_path / "key"
    assert folder.check_key(key).state == "wrong"

    key.write_text("bm90IGEga2V5\n")
    key.chmod(0o644)
    assert folder.check_key(key).fix == f"chmod 600 {key}"

    key.chmod(0o600)
    assert "does not hold a key" in folder.check_key(key).text


def test_a_data_folder_that_is_a_file_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.touch()

    assert folder.check_folder(file).is_wrong
    assert folder.check_folder(tmp_path).state == "ok"


def test_what_is_too_old_is_wrong() -> None:
    assert machine.check_python((3, 10, 9)).is_wrong
    assert machine.check_sqlite((3, 31, 1)).is_wrong
    assert machine.check_platform("win32").is_wrong


def test_a_clock_that_went_back_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "metadata.sqlite").touch()
    assert machine.check_clock(tmp_path).state == "ok"

    monkeypatch.setattr(clock, "source", lambda: datetime(2025, 6, 1, tzinfo=UTC))
    assert "was written" in machine.check_clock(tmp_path).text

    monkeypatch.setattr(clock, "source", lambda: datetime(1970, 1, 1, tzinfo=UTC))
    assert "before Penstock was written" in machine.check_clock(tmp_path).text


def test_extensions_of_another_version_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "version", lambda name: "1.5.4" if name == "duckdb-extension-ducklake" else "1.5.5")

    found = machine.check_duckdb()

    assert found.is_wrong
    assert "duckdb 1.5.5, duckdb-extension-ducklake 1.5.4" in found.text
    assert "pip install --force-reinstall" in found.fix


@pytest.fixture
def data(new_data_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(new_data_folder, tmp_path / "data"))


def test_an_intact_database_is_fine_and_its_format_is_shown(data: Path) -> None:
    assert contents.check_database(data).text == f"whole; format {FORMAT}"

    (data / "format").write_text("1\n")
    assert contents.check_database(data).state == "note"


def test_a_damaged_database_is_found(data: Path) -> None:
    database = data / "metadata.sqlite"
    whole = database.read_bytes()
    for middle in (len(whole) // 2, 0):
        database.write_bytes(whole[:middle] + os.urandom(4096) + whole[middle + 4096 :])
        assert contents.check_database(data).is_wrong

    database.unlink()
    assert "is missing" in contents.check_database(data).text
    assert "penstock restore" in contents.check_database(data).fix


@pytest.fixture(scope="module")
def filled_lake(stack: RunningStack) -> Path:
    """Tables as a job leaves them."""
    stack.run_job("sample-customers")
    return stack.folder / "lake"


@pytest.fixture
def lake(filled_lake: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled_lake, tmp_path / "lake"))


def test_the_files_of_every_table_are_looked_for(lake: Path) -> None:
    catalogs = len(list(lake.glob("*/catalog.sqlite")))
    assert re.fullmatch(
        rf"{catalogs} catalogs, and the [1-9]\d* files that they name are there", contents.check_tables(lake).text
    )

    for file in lake.rglob("*.parquet"):
        file.unlink()

    found = contents.check_tables(lake)
    assert found.is_wrong
    assert re.search(r"catalog\.sqlite names the file \S+\.parquet, which is not there", found.text)


def test_a_damaged_catalog_is_found(lake: Path) -> None:
    catalog, *_ = lake.glob("*/catalog.sqlite")
    catalog.write_bytes(b"broken" * 1000)

    assert contents.check_tables(lake).is_wrong
    assert contents.check_tables(lake / "no lake yet").state == "ok"


def test_names_that_do_not_resolve_matter_where_tls_is_served() -> None:
    plain, secure = (names.check_names("no-such-name.invalid", is_secure=it) for it in (False, True))

    assert (plain.state, secure.state) == ("note", "wrong")
    assert "connection.no-such-name.invalid does not resolve here" in plain.text
    assert secure.fix.endswith("hosts install --domain no-such-name.invalid")
    assert secure.fix.startswith("sudo ")


@pytest.mark.parametrize(("address", "state"), [("127.0.0.1", "ok"), ("192.0.2.7", "note")])
def test_names_should_lead_to_this_machine(monkeypatch: pytest.MonkeyPatch, address: str, state: str) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0))])

    found = names.check_names("data.example", is_secure=True)

    assert found.state == state
    assert address in found.text


def test_the_tls_port_is_looked_at_too() -> None:
    running = Running(
        storage_url="http://a:1",
        queue_url="",
        portal_url="",
        project_id=1,
        token="",
        pid=7,
        https_storage_url="https://a",
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = network.check_secure_port("loopback", port, None)

    assert found.is_wrong
    assert "--https-port N" in found.fix
    assert "process 7" in network.check_secure_port("loopback", 443, running).text


def test_a_certificate_is_judged_by_its_days_and_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = init_certificates(tmp_path, "data.example").certificate

    assert trust.check_certificate(made, "data.example").state == "ok"
    assert "is not for connection.other.example" in trust.check_certificate(made, "other.example").text
    for days, state in ((370, "note"), (400, "wrong")):
        later = datetime.now(UTC) + timedelta(days=days)
        monkeypatch.setattr(clock, "source", lambda later=later: later)
        assert trust.check_certificate(made, "data.example").state == state
    assert "penstock tls init" in trust.check_certificate(made, "data.example").fix


def test_trust_is_tried_with_each_bundle(tmp_path: Path) -> None:
    files = StackFiles(tmp_path)
    init_certificates(tmp_path, "data.example")
    greet = trust.in_memory(Secure(files.stack).context, "connection.data.example")
    other = Authority(tmp_path).bundle

    trusted = trust.check_trust("certifi", files.authority.certificate, greet, files.authority.certificate)
    not_trusted = trust.check_trust("certifi", other, greet, files.authority.certificate)

    assert (trusted.state, not_trusted.state) == ("ok", "note")
    assert not_trusted.fix == f"cat {files.authority.certificate} >> {other}"


def test_doctor_reports_who_trusts_the_certificate_of_a_folder(penstock: Penstock, tmp_path: Path) -> None:
    penstock("tls", "init")
    authority = tmp_path / ".penstock" / "tls" / "authority.pem"

    found = findings(penstock("doctor", "--json", "--port", "0", SSL_CERT_FILE=str(authority)).stdout)

    assert found["certificate"]["state"] == "ok"
    assert found["Python trust"]["state"] == "ok"
    assert found["certifi trust"]["state"] == "note"


def test_a_certificate_of_ones_own_that_cannot_be_used_is_wrong(penstock: Penstock, tmp_path: Path) -> None:
    (tmp_path / "own.pem").write_text("broken")

    ended = penstock("doctor", "--json", "--port", "0", "--https-port", "0", "--tls-cert", "own.pem")

    assert ended.returncode == 1
    assert "does not contain a certificate" in findings(ended.stdout)["certificate"]["text"]


@pytest.mark.parametrize(("code", "state"), [(0, "ok"), (1, "note")])
def test_on_a_mac_the_keychain_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, state: str) -> None:
    made = init_certificates(tmp_path, "data.example")
    security = tmp_path / "security"
    security.write_text(f'#!/bin/sh\ngrep -q "BEGIN CERTIFICATE" "$3" && exit {code}\nexit 2\n')
    security.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    assert trust.check_keychain(made.certificate, made.files.authority.certificate).state == state
    assert "system" not in [who for who, _ in trust.find_stores("darwin")]


def test_a_missing_sandbox_is_noted_and_wrong_where_it_is_required(
    penstock: Penstock, new_data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(*flags: str, **variables: str) -> dict[str, Any]:
        ended = penstock("doctor", "--json", "--port", "0", *flags, PATH=str(tmp_path), **variables)
        return findings(ended.stdout)["sandbox"]

    with bubblewrap_missing(tmp_path, monkeypatch):
        alone, exposed = find(), find("--host", "0.0.0.0")
        chosen = find("--host", "0.0.0.0", PENSTOCK_SANDBOX="auto")

    assert (alone["state"], exposed["state"], chosen["state"]) == ("note", "wrong", "note")
    assert "bubblewrap is not installed" in alone["text"]
    assert "it listens on 0.0.0.0" in exposed["text"]
    assert "Install the package bubblewrap" in exposed["fix"]


def test_jobs_that_could_not_run_are_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new_data_folder: Path
) -> None:
    rule = SandboxRule(setting="required", folder=new_data_folder)
    assert sandbox.check_jobs(SandboxRule(folder=new_data_folder), projects=1).state == "ok"

    with bubblewrap_missing(tmp_path, monkeypatch):
        refused = sandbox.check_jobs(rule, projects=1)
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no interpreter here >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(broken))
    failed = sandbox.check_jobs(SandboxRule(setting="off", folder=new_data_folder), projects=1)

    assert (refused.state, failed.state) == ("wrong", "wrong")
    assert "runs components only in a sandbox" in refused.text
    assert failed.text == "a component could not run: no interpreter here"


def test_a_second_project_makes_a_sandbox_required(new_data_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(new_data_folder, tmp_path / "data")
    assert sandbox.count_projects(tmp_path / "data") == 1
    with closing(sqlite3.connect(tmp_path / "data/metadata.sqlite")) as database:
        database.execute(
            "INSERT INTO management_projects (id, name, created, features) "
            "SELECT id + 1000, name, created, features FROM management_projects"
        )
        database.commit()

    assert sandbox.count_projects(tmp_path / "data") == 2
    with closing(sqlite3.connect(tmp_path / "data" / "metadata.sqlite")) as database, database:
        database.execute(
            "UPDATE management_projects SET deleted = created WHERE id = (SELECT max(id) FROM management_projects)"
        )
    assert sandbox.count_projects(tmp_path / "data") == 1
    assert sandbox.count_projects(tmp_path / "nothing") == 1


@pytest.mark.parametrize(
    ("settings", "state", "text"),
    [
        (Settings(), None, ""),
        (Settings(https=True), None, ""),
        (Settings(public_url="https://data.example"), "note", "is not sent"),
        (Settings(public_url="https://data.example", hsts_days=9), "ok", "only HTTPS for 9 days after a visit"),
        (Settings(https=True, hsts_days=9), "ok", "no longer open http://connection.penstock.localhost:8300"),
        (Settings(hsts_days=9), "note", "nothing says that the stack is reached by HTTPS"),
    ],
)
def test_it_says_whether_browsers_are_told_to_use_only_https(settings: Settings, state: str | None, text: str) -> None:
    checks = list(trust.check_hsts(settings))

    assert [check.state for check in checks] == ([state] if state else [])
    assert all(text in check.text for check in checks)
