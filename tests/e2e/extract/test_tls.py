"""`penstock extract` against servers with certificates of their own authority, and servers that ask for one."""

from __future__ import annotations

import ssl
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api
from tests.support.authority import Authority
from tests.support.command import Finished, extract
from tests.support.extraction import parameters
from tests.support.secure_api import SecureApi

VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority that nobody here trusts."""
    return Authority(tmp_path_factory.mktemp("stranger"), "Stranger")


@pytest.fixture
def api(authority: Authority) -> Generator[SecureApi]:
    with SecureApi(authority.context_for("localhost")) as api:
        yield with_users(api)


@pytest.fixture(params=VERSIONS, ids=["TLS 1.2", "TLS 1.3"])
def careful(authority: Authority, request: pytest.FixtureRequest) -> Generator[SecureApi]:
    """A server that lets nobody in without a certificate of the authority."""
    context = authority.context_for("localhost")
    context.maximum_version = request.param
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(authority.bundle)
    with SecureApi(context) as api:
        yield with_users(api)


def with_users(api: SecureApi) -> SecureApi:
    api.on("/users", {"items": [{"name": "Ada"}]})
    return api


def fetch(api: Api, folder: Path, **settings: Any) -> Finished:
    document = parameters(api.url, {"endpoint": "users", "dataField": "items"})
    document["api"] |= settings
    document["config"]["debug"] = True
    return extract(document, folder)


def test_a_server_of_ones_own_authority_is_trusted(api: SecureApi, authority: Authority, tmp_path: Path):
    done = fetch(api, tmp_path, caCertificate=authority.bundle.read_text())

    assert (done.code, done.stderr, done.column("test.users", "name")) == (0, "", ["Ada"])


@pytest.mark.parametrize("trusted", ["the system's", "another"])
def test_any_other_server_is_refused_at_once(
    api: SecureApi, authority: Authority, stranger: Authority, tmp_path: Path, trusted: str
):
    settings = {"caCertificate": stranger.bundle.read_text()} if trusted == "another" else {}

    done = fetch(api, tmp_path, **settings)

    assert (done.code, api.handshakes, api.seen) == (1, 1, [])
    assert done.stderr.startswith("CURL error 60: The TLS certificate of localhost is not trusted: ")
    assert "retrying" not in done.log
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.json"]


def test_a_trusted_authority_does_not_make_up_for_a_wrong_name(authority: Authority, tmp_path: Path):
    with SecureApi(authority.context_for("api.example")) as api:
        done = fetch(api, tmp_path, caCertificate=authority.bundle.read_text())

    assert (done.code, api.seen) == (1, [])
    assert done.stderr.startswith("CURL error 60: ")
    assert "mismatch" in done.stderr


def test_a_server_that_asks_for_a_certificate_gets_it(careful: SecureApi, authority: Authority, tmp_path: Path):
    identity = authority.file_for("client.example").read_text()

    done = fetch(careful, tmp_path, caCertificate=authority.bundle.read_text(), **{"#clientCertificate": identity})

    assert (done.code, done.stderr, done.column("test.users", "name")) == (0, "", ["Ada"])
    assert not any(line in done.all_output for line in identity.splitlines())


@pytest.mark.parametrize("identity", ["none", "a stranger's"])
def test_without_a_certificate_that_it_trusts_nobody_gets_in(
    careful: SecureApi, authority: Authority, stranger: Authority, tmp_path: Path, identity: str
):
    known = {"caCertificate": authority.bundle.read_text(), "retryConfig": {"maxRetries": 0}}
    own = {"#clientCertificate": stranger.file_for("client.example").read_text()} if identity != "none" else {}

    done = fetch(careful, tmp_path, **known, **own)

    assert (done.code, careful.seen) == (1, [])
    # With TLS 1.3 the client learns it only when it reads the response.
    assert done.stderr.startswith(("CURL error 35: Could not agree on TLS with ", "CURL error 56: The connection to "))
    assert "The host may want a client certificate, or another one." in done.stderr


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"caCertificate": "s3cret"}, "CURL error 77: "),
        ({"#clientCertificate": "-----BEGIN CERTIFICATE-----\ns3cret\n"}, "CURL error 58: "),
        ({"clientCertificate": 1}, "The 'clientCertificate' must be string."),
    ],
)
def test_certificates_that_cannot_be_used_are_told_before_anything_is_sent(
    api: SecureApi, tmp_path: Path, settings: dict[str, Any], sentence: str
):
    done = fetch(api, tmp_path, **settings)

    assert (done.code, api.handshakes) == (1, 0)
    assert done.stderr.startswith(sentence)
    assert "s3cret" not in done.all_output
