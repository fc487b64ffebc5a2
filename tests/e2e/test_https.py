"""`penstock up --https`, as programs meet it that trust one authority and know the stack by its names."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Generator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography import x509

from penstock.server.certificates import init_certificates
from tests.support.authority import Authority
from tests.support.http import Http
from tests.support.patience import PATIENCE
from tests.support.stacks import ONE_WORKER, PENSTOCK, RunningStack, clean_environment, run_copy, wait_for

CONNECTION = "connection.penstock.localhost"
INDEX = "/v2/storage?exclude=components"


class Secure(http.client.HTTPSConnection):
    """Asks a host by its name, and finds it on this machine: what `--connect-to` is to curl."""

    def __init__(self, host: str, port: int, authority: str | Path) -> None:
        self.trusted = ssl.create_default_context(cafile=authority)
        super().__init__(host, port, timeout=PATIENCE, context=self.trusted)

    def connect(self) -> None:
        self.sock = self.trusted.wrap_socket(
            socket.create_connection(("127.0.0.1", self.port), 30), server_hostname=self.host
        )


def secure_port(stack: RunningStack) -> int:
    return urlsplit(stack.greeting["httpsStorageUrl"]).port or 443


def ask(stack: RunningStack, host: str, path: str, authority: str | Path | None = None) -> tuple[int, Any]:
    trusted = authority or stack.greeting["authorityFile"]
    with closing(Secure(host, secure_port(stack), trusted)) as connection:
        connection.request("GET", path, headers={"X-StorageApi-Token": stack.greeting["token"]})
        response = connection.getresponse()
        return response.status, json.loads(response.read())


@pytest.fixture(scope="module")
def secure_stack(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[RunningStack]:
    folder = tmp_path_factory.mktemp("https") / "data"
    stack = run_copy(new_data_folder, folder, "--https", "--https-port", "0", *ONE_WORKER)
    yield stack
    stack.stop()


def test_a_program_that_trusts_the_authority_asks_by_name(secure_stack: RunningStack) -> None:
    status, index = ask(secure_stack, CONNECTION, INDEX)

    port = secure_port(secure_stack)
    assert (status, index["host"]) == (200, CONNECTION)
    assert {service["id"]: service["url"] for service in index["services"]}["queue"] == (
        f"https://queue.penstock.localhost:{port}"
    )
    assert all(service["url"].startswith("https://") for service in index["services"])
    assert ask(secure_stack, CONNECTION, "/v2/storage/tokens/verify")[0] == 200


def test_the_bare_address_is_secure_too(secure_stack: RunningStack) -> None:
    status, index = ask(secure_stack, "127.0.0.1", f"/_svc/storage{INDEX}")

    assert status == 200
    assert index["services"][0]["url"].startswith(f"https://127.0.0.1:{secure_port(secure_stack)}/_svc/")


@pytest.mark.parametrize("label", ["sandboxes", "stream"])
def test_a_host_that_is_not_there_answers_in_json(secure_stack: RunningStack, label: str) -> None:
    status, response = ask(secure_stack, f"{label}.penstock.localhost", "/docs/components/keboola.ex-aws-s3")

    assert (status, response["code"]) == (404, 404)


def test_the_plain_port_works_beside_it(secure_stack: RunningStack) -> None:
    index = secure_stack.storage.get(INDEX)

    assert index.status == 200
    assert all(service["url"].startswith("http://") for service in index.json["services"])


def test_a_job_runs_as_ever(secure_stack: RunningStack) -> None:
    assert secure_stack.run_job("sample-customers")["status"] == "success"


def test_the_authority_of_somebody_else_is_not_enough(secure_stack: RunningStack, tmp_path: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="unable to get local issuer"):
        ask(secure_stack, CONNECTION, INDEX, Authority(tmp_path).bundle)
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        ask(secure_stack, "connection.other.example", INDEX)


def test_what_is_no_tls_disturbs_nobody(secure_stack: RunningStack) -> None:
    for words in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x00\x05hello", b""):
        with socket.create_connection(("127.0.0.1", secure_port(secure_stack)), 5) as connection:
            connection.sendall(words)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1000)

    assert ask(secure_stack, CONNECTION, INDEX)[0] == 200
    assert "Traceback" not in secure_stack.errors


def test_a_certificate_that_was_renewed_meanwhile_is_served(secure_stack: RunningStack) -> None:
    stack = secure_stack
    made = init_certificates(stack.folder, "penstock.localhost")

    def is_served() -> bool:
        assert stack.process.poll() is None, stack.errors
        # A connection that is made in the very moment may be closed unanswered, as at a restart.
        with suppress(OSError):
            return served(stack) == made.certificate.serial_number
        return False

    wait_for(is_served)


def served(stack: RunningStack) -> int:
    with closing(Secure(CONNECTION, secure_port(stack), stack.greeting["authorityFile"])) as connection:
        connection.connect()
        return x509.load_der_x509_certificate(connection.sock.getpeercert(binary_form=True) or b"").serial_number


def test_a_restart_serves_the_same_certificate_and_is_quick(new_data_folder: Path, tmp_path: Path) -> None:
    starting = time.monotonic()
    first = run_copy(new_data_folder, tmp_path / "data", "--https-port", "0", *ONE_WORKER)
    usual = time.monotonic() - starting
    serial = served(first)
    with closing(Secure(CONNECTION, secure_port(first), first.greeting["authorityFile"])) as idle:
        idle.request("GET", INDEX)
        idle.getresponse().read()
        # A connection that is kept open must not keep the stack from ending.
        ending = time.monotonic()
        assert first.stop(signal.SIGTERM) == 0
        ended_in = time.monotonic() - ending

    starting = time.monotonic()
    second = RunningStack(tmp_path / "data", "--https-port", "0", *ONE_WORKER)
    # Three seconds, but for a machine so busy that it took as long before.
    assert time.monotonic() - starting < max(3, 5 * usual)
    assert served(second) == serial
    ending = time.monotonic()
    second.stop()
    assert ended_in < max(4.5, 5 * (time.monotonic() - ending))


def test_a_certificate_of_ones_own_is_served_instead(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    file = authority.file_for("*.data.test")
    flags = ("--domain", "data.test", "--https-port", "0", "--tls-cert", str(file), "--tls-key", str(file))
    stack = RunningStack(tmp_path / "data", *flags, *ONE_WORKER)

    assert "authorityFile" not in stack.greeting
    assert stack.greeting["httpsStorageUrl"] == f"https://connection.data.test:{secure_port(stack)}"
    assert ask(stack, "connection.data.test", INDEX, authority.bundle)[0] == 200
    assert not (tmp_path / "data" / "tls").exists()
    stack.stop()


def refuse(folder: Path, *flags: str) -> str:
    """The sentence with which `up` ends before anything starts."""
    ended = subprocess.run(
        [*PENSTOCK, "up", "--data-dir", str(folder), "--port", "0", *flags],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=clean_environment(),
    )
    assert ended.returncode == 1, ended.stdout
    assert ended.stdout == ""
    assert "Traceback" not in ended.stderr
    return ended.stderr


def test_a_certificate_that_cannot_be_used_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    one, other = str(authority.file_for("a.test")), str(authority.file_for("b.test"))
    folder = tmp_path / "data"

    assert "is not the key of" in refuse(folder, "--tls-cert", one, "--tls-key", other)
    assert "cannot be read" in refuse(folder, "--tls-cert", str(tmp_path / "gone"))
    assert not folder.exists()


def test_a_taken_tls_port_names_its_flag(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = refuse(tmp_path / "data", "--https-port", str(taken.getsockname()[1]))

    assert f"is taken by process {os.getpid()}" in said
    assert "--https-port N" in said
    assert not (tmp_path / "data").exists()


def test_the_doctor_finds_the_stack_that_serves_tls(secure_stack: RunningStack) -> None:
    flags = ("--data-dir", str(secure_stack.folder), "--https-port", str(secure_port(secure_stack)))
    environment = {**clean_environment(), "SSL_CERT_FILE": secure_stack.greeting["authorityFile"]}
    port = str(urlsplit(secure_stack.greeting["storageUrl"]).port)
    ended = subprocess.run(
        [*PENSTOCK, "doctor", "--json", "--port", port, *flags], capture_output=True, text=True, env=environment
    )

    found = {check["name"]: check for check in json.loads(ended.stdout)["checks"]}
    assert "held by the stack of this folder" in found["TLS port"]["text"]
    assert found["certificate"]["state"] == found["Python trust"]["state"] == "ok"
    assert Http(secure_stack.greeting["storageUrl"]).get(INDEX).status == 200
