"""`penstock extract` against an API that only an SSH server can reach, because nobody else knows its name."""

from __future__ import annotations

import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncssh
import pytest

from tests.support.api import Api, Response, Seen
from tests.support.authority import Authority
from tests.support.bastion import PRIVATE_KEY, BastionBeside, bastion_beside
from tests.support.command import extract
from tests.support.extraction import parameters
from tests.support.refusing import refusing_port
from tests.support.secure_api import SecureApi

FAILED = "Unable to create ssh tunnel. Output:  ErrorOutput: "
OTHER_KEY = asyncssh.generate_private_key("ssh-ed25519").export_private_key().decode()
LAST_PAGE = 2


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        api.on("/users", page)
        yield api


@pytest.fixture
def beside(api: Api) -> Generator[BastionBeside]:
    with bastion_beside({"api.internal": port_of(api)}) as beside:
        yield beside


def port_of(api: Api) -> int:
    return urlsplit(api.url).port or 0


def page(seen: Seen) -> Response:
    number = int(seen.params["page"])
    return Response.json({"items": [{"page": number}] if number <= LAST_PAGE else []})


def configuration(ssh: dict[str, Any], base_url: str = "http://api.internal/") -> dict[str, Any]:
    paging = {"method": "pagenum", "firstPageParams": True}
    document = parameters(base_url, {"endpoint": "users", "dataField": "items"}, pagination=paging)
    document["config"]["debug"] = True
    return {**document, "sshProxy": ssh}


def shows_key(text: str, key: str = PRIVATE_KEY) -> bool:
    return any(line in text for line in key.splitlines())


def test_every_page_of_every_iteration_goes_through_the_tunnel(api: Api, beside: BastionBeside, tmp_path: Path):
    document = configuration(beside.bastion.settings())
    document["iterations"] = [{"userData": {"round": 1}}, {"userData": {"round": 2}}]

    done = extract(document, tmp_path)

    assert (done.code, done.stderr) == (0, "")
    assert done.column("test.users", "page") == ["1", "2"] * 2
    assert done.column("test.users", "round") == ["1", "1", "2", "2"]
    assert {seen.headers["host"] for seen in api.seen} == {"api.internal"}
    assert set(beside.bastion.asked) == {("api.internal", 80)}
    assert done.lines("INFO").count("Creating SSH tunnel to '127.0.0.1' ...") == 2
    assert done.lines("DEBUG").count("SSH tunnel created.") == 2
    assert not shows_key(done.all_output)


def test_without_the_tunnel_nobody_knows_the_api(api: Api, tmp_path: Path):
    document = configuration({})
    del document["sshProxy"]
    document["api"]["retryConfig"] = {"maxRetries": 0}

    done = extract(document, tmp_path)

    assert (done.code, api.seen) == (1, [])
    assert done.stderr.startswith("CURL error 6: Could not resolve host: api.internal")


def test_tls_goes_through_the_tunnel(tmp_path: Path):
    authority = Authority(tmp_path)
    with SecureApi(authority.context_for("api.internal")) as api:
        api.on("/users", page)
        with bastion_beside({"api.internal": port_of(api)}) as beside:
            document = configuration(beside.bastion.settings(), "https://api.internal/")
            document["api"]["caCertificate"] = authority.bundle.read_text()
            done = extract(document, tmp_path)

    assert (done.code, done.stderr, done.column("test.users", "page")) == (0, "", ["1", "2"])
    assert set(beside.bastion.asked) == {("api.internal", 443)}


def test_a_tunnel_that_died_between_two_pages_is_opened_again(api: Api, beside: BastionBeside, tmp_path: Path):
    def kill_soon(seen: Seen) -> Response:
        if seen.params["page"] == "1":
            threading.Timer(0.3, beside.kill).start()
        return page(seen)

    api.on("/users", kill_soon)
    document = configuration(beside.bastion.settings())
    document["api"]["rateLimit"] = {"requests": 1, "interval": 0.9}

    done = extract(document, tmp_path)

    assert (done.code, done.stderr, done.column("test.users", "page")) == (0, "", ["1", "2"])
    assert len(beside.bastion.connections) == 2
    assert done.lines("DEBUG").count("SSH tunnel is not alive. Reconnecting ...") == 1
    assert "retrying" not in done.log


@pytest.mark.parametrize(("lost", "retries"), [("1", 1), ("2", 0)])
def test_a_request_that_the_tunnel_took_with_it_is_sent_again(
    api: Api, beside: BastionBeside, tmp_path: Path, lost: str, retries: int
):
    def kill_once(seen: Seen) -> Response:
        if seen.params["page"] == lost and len(beside.bastion.connections) == 1:
            beside.kill()
        return page(seen)

    api.on("/users", kill_once)

    done = extract(configuration(beside.bastion.settings()), tmp_path)

    assert (done.code, done.stderr, done.column("test.users", "page")) == (0, "", ["1", "2"])
    assert [seen.params["page"] for seen in api.seen] == sorted(["1", "2", "3", lost])
    # On a connection that has served before, a GET is sent anew without ado.
    assert done.log.count("Http request failed, retrying in 1.0 seconds [1x].") == retries


def test_a_host_that_the_ssh_server_does_not_know_is_an_error(api: Api, beside: BastionBeside, tmp_path: Path):
    document = configuration(beside.bastion.settings(), "http://other.internal/")
    document["api"]["retryConfig"] = {"maxRetries": 0}

    done = extract(document, tmp_path)

    assert (done.code, api.seen) == (1, [])
    assert done.stderr.startswith("CURL error ")
    assert "other.internal" in done.stderr


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (OTHER_KEY, "127.0.0.1 port {port} does not let the user 'jump' in with this private key."),
        (PRIVATE_KEY[:150], "The private key cannot be read."),
    ],
    ids=["another key", "half a key"],
)
def test_a_key_that_does_not_open_ends_the_run(api: Api, beside: BastionBeside, tmp_path: Path, key: str, reason: str):
    done = extract(configuration(beside.bastion.settings(**{"#privateKey": key})), tmp_path)

    assert (done.code, api.seen, len(beside.bastion.connections) <= 1) == (1, [], True)
    assert done.stderr.startswith(FAILED + reason.format(port=beside.bastion.port))
    assert not shows_key(done.all_output, key)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.json"]


def test_another_host_key_than_the_one_that_is_named_ends_the_run(api: Api, beside: BastionBeside, tmp_path: Path):
    named = asyncssh.import_private_key(OTHER_KEY).export_public_key().decode()

    done = extract(configuration(beside.bastion.settings(hostKey=named)), tmp_path)

    assert (done.code, api.seen) == (1, [])
    assert done.stderr.startswith(f"{FAILED}127.0.0.1 port {beside.bastion.port} has another key than ")


def test_an_ssh_server_that_is_not_there_is_tried_a_few_times(api: Api, tmp_path: Path):
    with refusing_port() as port:
        ssh = {"user": "jump", "host": "127.0.0.1", "port": port, "#privateKey": PRIVATE_KEY}
        done = extract(configuration(ssh), tmp_path)

    assert (done.code, api.seen) == (1, [])
    assert done.stderr.startswith(f"{FAILED}Could not connect to 127.0.0.1 port {port}: connection refused")
    assert not shows_key(done.all_output)


def test_a_section_that_lacks_something_is_told_before_anything_is_sent(
    api: Api, beside: BastionBeside, tmp_path: Path
):
    ssh = beside.bastion.settings()
    del ssh["user"], ssh["port"]

    done = extract(configuration(ssh), tmp_path)

    assert (done.code, beside.bastion.connections) == (1, [])
    assert done.stderr.startswith("Missing parameters 'user,port' in SSH config.")
