from __future__ import annotations

import ssl
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.sending.tls import tls_context
from penstock.foundation.outbound import Gate, OutboundError, Policy, Response, UnusableBundle, call
from tests.support.authority import Authority
from tests.unit.foundation.outbound.servers import OPEN, Server, knowing, ok, serving

NAMES = knowing(api_test="127.0.0.1")


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def ca(authority: Authority) -> str:
    return authority.bundle.read_text()


@pytest.fixture
def client(authority: Authority) -> str:
    """A certificate with its key."""
    return authority.file_for("client.test").read_text()


@contextmanager
def serving_tls(authority: Authority, *, asks_for_client: bool = False, newest: ssl.TLSVersion | None = None):
    context = authority.context_for("api.test")
    if asks_for_client:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(authority.bundle)
    if newest is not None:
        context.maximum_version = newest
    with serving(ok(b"safe"), tls=context) as server:
        yield server


def fetch(server: Server, tls: ssl.SSLContext | None) -> Response:
    async def send() -> Response:
        async with Gate(OPEN, NAMES, tls=tls) as gate:
            return await gate.send("GET", server.url(host="api.test", scheme="https"))

    return call(send())


def test_a_configuration_without_certificates_changes_nothing():
    assert tls_context(None, None) is None


@pytest.mark.parametrize("value", [1, True, False, [], {"a": "b"}, 1.5])
def test_certificates_are_texts(value: Any):
    with pytest.raises(UserError, match=r"^The 'caCertificate' must be string\."):
        tls_context(value, None)
    with pytest.raises(UserError, match=r"^The 'clientCertificate' must be string\."):
        tls_context(None, value)


@pytest.mark.parametrize("value", ["", "0"])
def test_an_empty_certificate_is_none(value: str):
    with pytest.raises(UserError, match=r'^Key "api\.caCertificate" is not configured\.'):
        tls_context(value, None)
    with pytest.raises(UserError, match=r'^Key "api\.clientCertificate" is not configured\.'):
        tls_context(None, value)


def test_an_authority_of_ones_own_is_trusted(authority: Authority, ca: str):
    with serving_tls(authority) as server:
        assert fetch(server, tls_context(ca, None)).body == b"safe"
        with pytest.raises(OutboundError, match="is not trusted") as caught:
            fetch(server, None)
    assert caught.value.kind == "certificate"


def test_it_replaces_all_others(authority: Authority, tmp_path: Path):
    (tmp_path / "other").mkdir()
    other = Authority(tmp_path / "other")

    with serving_tls(authority) as server, pytest.raises(OutboundError) as caught:
        fetch(server, tls_context(other.bundle.read_text(), None))
    assert caught.value.kind == "certificate"
    assert len(tls_context(other.bundle.read_text(), None).get_ca_certs()) == 1  # type: ignore[union-attr]


def test_several_authorities_and_comments_in_any_alphabet_are_read(authority: Authority, ca: str, tmp_path: Path):
    (tmp_path / "other").mkdir()
    bundle = f"# Übersicht\r\n{Authority(tmp_path / 'other', 'Other').bundle.read_text()}\n# Česko\n{ca}".replace(
        "\n", "\r\n"
    )

    with serving_tls(authority) as server:
        assert fetch(server, tls_context(bundle, None)).body == b"safe"


def test_the_certificate_of_the_server_itself_may_be_trusted(authority: Authority):
    with serving_tls(authority) as server:
        own = authority.file_for("api.test").read_text()
        assert fetch(server, tls_context(own, None)).body == b"safe"


@pytest.mark.parametrize(
    "text",
    [
        "s3cret",
        "-----BEGIN CERTIFICATE-----\ns3cret\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\\ns3cret\\n-----END CERTIFICATE-----\\n",
        "\0",
        "č",
    ],
)
def test_certificates_that_cannot_be_read_say_what_is_wanted(text: str):
    with pytest.raises(UserError, match=r"^CURL error 77: .*-----BEGIN CERTIFICATE-----") as caught:
        tls_context(text, None)
    assert "s3cret" not in str(caught.value)
    with pytest.raises(UserError, match=r"^CURL error 58: .*followed by its private key") as caught:
        tls_context(None, text)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_server_that_asks_who_we_are_gets_the_client_certificate(
    newest: ssl.TLSVersion, authority: Authority, ca: str, client: str
):
    with serving_tls(authority, asks_for_client=True, newest=newest) as server:
        assert fetch(server, tls_context(ca, client)).body == b"safe"
        with pytest.raises(OutboundError) as caught:
            fetch(server, tls_context(ca, None))
    assert caught.value.kind in ("handshake", "receive", "empty")  # TLS 1.3 tells it after the handshake, if at all
    assert "not permitted" not in str(caught.value)


def test_a_client_certificate_alone_keeps_the_authorities_of_the_policy(
    authority: Authority, client: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(
        "PENSTOCK_OUTBOUND", Policy(ca_bundle=str(authority.bundle)).to_environment()["PENSTOCK_OUTBOUND"]
    )
    with serving_tls(authority, asks_for_client=True) as server:
        assert fetch(server, tls_context(None, client)).body == b"safe"

    monkeypatch.setenv("PENSTOCK_OUTBOUND", Policy(ca_bundle="/absent.pem").to_environment()["PENSTOCK_OUTBOUND"])
    with pytest.raises(UnusableBundle):
        tls_context(None, client)


def test_a_client_certificate_without_a_key_or_with_another_one_is_refused(authority: Authority, client: str):
    certificate, _, key = client.partition("-----BEGIN PRIVATE KEY-----")
    other = ec.generate_private_key(ec.SECP256R1())

    for text in (certificate, f"-----BEGIN PRIVATE KEY-----{key}", certificate + pem(other)):
        with pytest.raises(UserError, match=r"^CURL error 58: "):
            tls_context(None, text)


def test_an_encrypted_key_is_refused_and_nobody_is_asked_for_its_password(client: str):
    certificate = client.partition("-----BEGIN PRIVATE KEY-----")[0]
    key = ec.generate_private_key(ec.SECP256R1())

    with pytest.raises(UserError, match="the key without a password"):
        tls_context(None, certificate + pem(key, b"s3cret"))


def test_the_key_is_on_disk_for_nobody_else_and_no_longer_than_needed(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    modes: list[int] = []

    with watching(folder, modes, monkeypatch):
        tls_context(None, client)

    assert modes == [0o600]
    assert list(folder.iterdir()) == []


@contextmanager
def watching(folder: Path, modes: list[int], monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Note the modes of the files that are there while OpenSSL reads."""
    load = ssl.SSLContext.load_cert_chain

    def note(self: ssl.SSLContext, *args: Any, **options: Any) -> None:
        modes.extend(file.stat().st_mode & 0o777 for file in folder.iterdir())
        load(self, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(ssl.SSLContext, "load_cert_chain", note)
        yield


def pem(key: ec.EllipticCurvePrivateKey, password: bytes | None = None) -> str:
    lock = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock).decode()
