from __future__ import annotations

import base64
from collections.abc import Callable

import pytest

from penstock.foundation.outbound import Gate, InvalidPolicy, Policy, Refused, Unreachable
from penstock.foundation.outbound.proxies import Proxies
from penstock.foundation.outbound.urls import read_target
from tests.support.authority import Authority
from tests.unit.foundation.outbound.servers import OPEN, Proxy, Server, fetch, knowing, ok

Serve = Callable[..., Server]
ProxyTo = Callable[..., Proxy]
PUBLIC = knowing(api_test="93.184.215.14")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_a_stacks_requests_go_through_its_proxy(serve: Serve, proxy_to: ProxyTo):
    server = serve(ok(b"through"))
    proxy = proxy_to({"api.test": server.port})

    response = fetch("http://api.test/users?limit=1", Policy(proxy=proxy.url), PUBLIC, headers={"host": "intern.test"})

    assert response.body == b"through"
    assert response.url == "http://api.test/users?limit=1"
    assert proxy.lines == ["GET http://api.test/users?limit=1 HTTP/1.1"]
    assert server.requests[0].headers["host"] == "api.test"


def test_tls_runs_through_the_proxy_to_the_host_itself(serve: Serve, proxy_to: ProxyTo, authority: Authority):
    server = serve(ok(b"through"), tls=authority.context_for("api.test"))
    proxy = proxy_to({"api.test": server.port, "wrong.test": server.port})
    policy = Policy(proxy=proxy.url, ca_bundle=str(authority.bundle))

    response = fetch("https://api.test/?token=secret", policy, PUBLIC, headers={"Authorization": "secret"})

    assert response.body == b"through"
    assert proxy.lines == ["CONNECT api.test:443 HTTP/1.1"]
    assert "secret" not in "".join(proxy.heads)
    with pytest.raises(Unreachable, match=r"certificate of wrong\.test is not trusted"):
        fetch("https://wrong.test/", policy, knowing())


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_password_is_for_the_proxy_alone(scheme: str, serve: Serve, proxy_to: ProxyTo, authority: Authority):
    server = serve(ok(), tls=authority.context_for("api.test") if scheme == "https" else None)
    proxy = proxy_to({"api.test": server.port})
    policy = Policy(proxy=f"http://me:pass@127.0.0.1:{proxy.port}", ca_bundle=str(authority.bundle))

    fetch(f"{scheme}://api.test/", policy, PUBLIC)

    assert "Proxy-Authorization: Basic " + base64.b64encode(b"me:pass").decode() in proxy.heads[0]
    assert "authorization" not in server.requests[0].headers


def test_a_private_host_is_refused_although_the_proxy_would_look_it_up(proxy_to: ProxyTo):
    proxy = proxy_to({})
    policy = Policy(proxy=proxy.url)

    for host in ("10.0.0.1", "169.254.169.254", "intern.test", "[::ffff:10.0.0.1]"):
        with pytest.raises(Refused):
            fetch(f"http://{host}/", policy, knowing(intern_test="10.0.0.1"))
    assert proxy.heads == []


def test_a_host_that_only_the_proxy_resolves_is_accepted(serve: Serve, proxy_to: ProxyTo):
    proxy = proxy_to({"api.test": serve(ok()).port})

    assert fetch("http://api.test/", Policy(proxy=proxy.url), knowing()).status == 200


def test_hosts_of_this_machine_are_never_asked_for_through_a_proxy(serve: Serve, proxy_to: ProxyTo):
    server, proxy = serve(ok()), proxy_to({})
    own = Policy(proxy=proxy.url, own_hosts={"sample.penstock.test": f"127.0.0.1:{server.port}"})

    assert fetch("http://sample.penstock.test/", own).status == 200
    for host in ("127.0.0.1", "localhost", "api.penstock.localhost"):
        assert fetch(server.url(host=host), Policy(is_open=True, proxy=proxy.url)).status == 200
    assert proxy.heads == []


def test_the_environment_is_used_only_if_the_policy_allows_it(
    serve: Serve, proxy_to: ProxyTo, monkeypatch: pytest.MonkeyPatch
):
    server = serve(ok())
    proxy = proxy_to({"api.test": server.port})
    monkeypatch.setenv("HTTP_PROXY", proxy.url)

    assert fetch("http://api.test/", Policy(is_open=True, use_environment=True), PUBLIC).status == 200
    assert len(proxy.heads) == 1
    fetch(server.url(host="api.test"), OPEN, knowing(api_test="127.0.0.1"))
    assert len(proxy.heads) == 1


@pytest.mark.parametrize(
    ("no_proxy", "url", "is_direct"),
    [
        ("*", "http://api.test/", True),
        ("api.test", "http://api.test/", True),
        ("API.test", "http://api.test./", True),
        (".test", "http://api.test/", True),
        ("test", "http://api.test/", True),
        ("*.test", "http://api.test/", True),
        ("other.example, api.test:8080", "http://api.test:8080/", True),
        ("api.test:8080", "http://api.test/", False),
        ("pi.test", "http://api.test/", False),
        ("api", "http://api.test/", False),
        ("", "http://api.test/", False),
        ("10.0.0.0/8", "http://10.1.2.3/", True),
        ("10.1.2.3", "http://10.1.2.3:99/", True),
        ("10.1.2.3:80", "http://10.1.2.3/", True),
        ("10.0.0.0/8", "http://11.1.2.3/", False),
        ("fd00::/8", "http://[fd00::1]/", True),
        ("3", "http://10.1.2.3/", False),
    ],
)
def test_no_proxy_names_hosts_domains_and_networks(
    no_proxy: str, url: str, is_direct: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NO_PROXY", no_proxy)
    monkeypatch.setenv("ALL_PROXY", "proxy.test:3128")

    proxy = Proxies(Policy(use_environment=True)).find(read_target(url).origin)

    assert (proxy is None) == is_direct


def test_a_proxy_that_refuses_or_is_down_is_named(proxy_to: ProxyTo):
    proxy = proxy_to({})

    with pytest.raises(Unreachable, match=r"proxy 127\.0\.0\.1 port \d+ did not connect to api\.test: 403 Forbidden"):
        fetch("https://api.test/", Policy(proxy=proxy.url), PUBLIC)
    with pytest.raises(Unreachable, match=r"Failed to connect to the proxy 127\.0\.0\.1 port 9: connection refused"):
        fetch("http://api.test/", Policy(proxy="http://me:secret@127.0.0.1:9"), PUBLIC)
    with pytest.raises(Unreachable, match=r"Could not resolve host: proxy\.test"):
        fetch("http://api.test/", Policy(proxy="http://proxy.test:3128"), PUBLIC)


@pytest.mark.parametrize("text", ["socks5://me:secret@proxy.test:1080", "http://", "http://proxy.test:x", "://"])
def test_a_proxy_we_cannot_use_is_a_mistake_in_the_settings(text: str):
    with pytest.raises(InvalidPolicy, match="must be an http:// or https:// URL") as caught:
        Gate(Policy(proxy=text))
    assert "secret" not in str(caught.value)
