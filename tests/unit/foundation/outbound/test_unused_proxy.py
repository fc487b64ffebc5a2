from __future__ import annotations

import pytest

from penstock.foundation.outbound import Policy, explain_unused_proxy

OWN = Policy(is_open=True, use_environment=True)
API = "https://api.example.com/v1/"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "request_method"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return monkeypatch


def test_without_a_proxy_there_is_nothing_to_say():
    assert explain_unused_proxy(OWN, API) == ""


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_a_proxy_that_is_used_needs_no_explanation(environment: pytest.MonkeyPatch, name: str):
    environment.setenv(name, "http://proxy.example.com:3128")

    assert explain_unused_proxy(OWN, API) == ""


def test_neither_is_an_exception_that_the_user_has_made(environment: pytest.MonkeyPatch):
    environment.setenv("HTTPS_PROXY", "http://proxy.example.com:3128")
    environment.setenv("NO_PROXY", "api.example.com")

    assert explain_unused_proxy(OWN, API) == ""


@pytest.mark.parametrize(
    ("policy", "url", "is_tunnelled", "reason"),
    [
        (OWN, "http://localhost:8300/", False, "http://localhost: hosts of this machine are called directly."),
        (OWN, "http://[::1]/", False, "http://::1: hosts of this machine are called directly."),
        (OWN, API, False, "https://api.example.com: no proxy is set for https addresses. Set HTTPS_PROXY."),
        (OWN, API, True, "https://api.example.com: all requests go through the SSH tunnel."),
        (Policy(), API, False, "https://api.example.com: jobs of a stack use the stack's setting `proxy`, and not the"),
    ],
)
def test_a_proxy_that_is_not_used_is_explained(
    environment: pytest.MonkeyPatch, policy: Policy, url: str, is_tunnelled: bool, reason: str
):
    environment.setenv("HTTP_PROXY", "http://me:s3cret@proxy.example.com:3128")

    said = explain_unused_proxy(policy, url, is_tunnelled=is_tunnelled)

    assert said.startswith(f"The proxy of HTTP_PROXY is not used for {reason}")
    assert "s3cret" not in said


def test_an_address_that_cannot_be_called_is_not_explained_here(environment: pytest.MonkeyPatch):
    environment.setenv("HTTP_PROXY", "http://proxy.example.com:3128")

    assert explain_unused_proxy(OWN, "ftp://h/") == ""
