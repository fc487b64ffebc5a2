from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from penstock.foundation.outbound import InvalidPolicy, Policy, Unreachable
from tests.support.authority import DAY, Authority
from tests.unit.foundation.outbound.servers import OPEN, Server, fetch, knowing, ok

Serve = Callable[..., Server]
NAMES = knowing(api_test="127.0.0.1", wrong_test="127.0.0.1")


@pytest.fixture
def trusting(authority: Authority) -> Policy:
    return Policy(is_open=True, ca_bundle=str(authority.bundle))


def test_the_name_in_the_handshake_is_the_urls_although_the_address_is_pinned(
    authority: Authority, trusting: Policy, serve: Serve
):
    asked: list[str] = []
    context = authority.context_for("api.test")
    context.sni_callback = lambda _, name, __: asked.append(name)
    server = serve(ok(), tls=context)

    for host in ("api.test", "API.test."):
        lookup = knowing(**{host.lower(): "127.0.0.1"})
        assert fetch(server.url(host=host, scheme="https"), trusting, lookup).body == b"ok"
    assert asked == ["api.test", "api.test"]


def test_a_certificate_of_an_unknown_authority_is_not_trusted(authority: Authority, serve: Serve):
    server = serve(ok(), tls=authority.context_for("api.test"))

    with pytest.raises(Unreachable, match=r"is not trusted: .*CA bundle") as caught:
        fetch(server.url("/?token=secret", host="api.test", scheme="https"), OPEN, NAMES)
    assert caught.value.kind == "certificate"
    assert "api.test" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert server.requests == []


def test_a_certificate_for_another_host_is_not_trusted(authority: Authority, trusting: Policy, serve: Serve):
    server = serve(ok(), tls=authority.context_for("api.test"))

    for host in ("wrong.test", "127.0.0.1"):
        with pytest.raises(Unreachable, match=f"certificate of {host} is not trusted: .*mismatch") as caught:
            fetch(server.url(host=host, scheme="https"), trusting, NAMES)
        assert caught.value.kind == "certificate"
    assert server.requests == []


def test_an_expired_certificate_is_not_trusted(authority: Authority, trusting: Policy, serve: Serve):
    server = serve(ok(), tls=authority.context_for("api.test", lasts=-DAY))

    with pytest.raises(Unreachable, match="certificate has expired"):
        fetch(server.url(host="api.test", scheme="https"), trusting, NAMES)


def test_a_server_without_tls_is_distinguished_from_one_that_is_down(serve: Serve):
    server = serve(ok(), greeting=b"220 mail.test ESMTP\r\n")

    with pytest.raises(Unreachable, match=r"TLS with api\.test port \d+: wrong version number") as caught:
        fetch(server.url(host="api.test", scheme="https"), OPEN, NAMES)
    assert caught.value.kind == "handshake"


def test_old_tls_versions_are_not_spoken(authority: Authority, trusting: Policy, serve: Serve):
    context = authority.context_for("api.test")
    context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    server = serve(ok(), tls=context)

    with pytest.raises(Unreachable, match=r"Could not agree on TLS with api\.test") as caught:
        fetch(server.url(host="api.test", scheme="https"), trusting, NAMES)
    assert caught.value.kind == "handshake"


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
def test_an_operators_environment_may_name_the_authority(
    variable: str, authority: Authority, serve: Serve, monkeypatch: pytest.MonkeyPatch
):
    server = serve(ok(), tls=authority.context_for("api.test"))
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv(variable, str(authority.bundle))
    url = server.url(host="api.test", scheme="https")

    assert fetch(url, Policy(is_open=True, use_environment=True), NAMES).status == 200
    with pytest.raises(Unreachable, match="is not trusted"):
        fetch(url, Policy(is_open=True), NAMES)


def test_a_bundle_that_cannot_be_read_is_named(tmp_path: Path):
    empty = tmp_path / "empty.pem"
    empty.write_text("")

    for path in (tmp_path / "absent.pem", empty):
        with pytest.raises(InvalidPolicy, match=f"The CA bundle .*{path.name} cannot be read") as caught:
            fetch("https://127.0.0.1:1/", Policy(is_open=True, ca_bundle=str(path)), NAMES)
        assert caught.value.kind == "bundle"
