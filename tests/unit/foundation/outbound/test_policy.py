import os

import pytest

from penstock.foundation.outbound import InvalidPolicy, OutboundError, Policy


def test_a_policy_without_arguments_is_strict():
    assert Policy() == Policy(is_open=False, allow=(), own_hosts={}, proxy=None, use_environment=False)


def test_without_the_variable_it_is_an_operators_own_command_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("PENSTOCK_OUTBOUND", raising=False)

    assert Policy.from_environment() == Policy(is_open=True, use_environment=True)


def test_a_policy_travels_through_the_environment(monkeypatch: pytest.MonkeyPatch):
    policy = Policy(
        allow=("api.internal", "10.0.0.0/8", "::1"),
        own_hosts={"sample.penstock.localhost": "127.0.0.1:8300", "six.penstock.localhost": "[::1]:8300"},
        proxy="http://proxy:3128",
    )
    monkeypatch.setattr(os, "environ", {**os.environ, **policy.to_environment()})

    assert Policy.from_environment() == policy
    assert '"ownHosts"' in policy.to_environment()["PENSTOCK_OUTBOUND"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "open",
        "null",
        "true",
        "[]",
        '{"isOpen": "yes"}',
        '{"isOpen": 1}',
        '{"is_open": true}',
        '{"allow": "10.0.0.0/8"}',
        '{"allow": ["10.0.0.0/33"]}',
        '{"allow": ["10.0.0.5/8"]}',
        '{"allow": [""]}',
        '{"allow": ["*.internal"]}',
        '{"allow": ["api.internal:8080"]}',
        '{"allow": ["http://api.internal"]}',
        '{"ownHosts": {"a.localhost": "127.0.0.1"}}',
        '{"ownHosts": {"a.localhost": "localhost:80"}}',
        '{"ownHosts": {"a.localhost": "127.0.0.1:0"}}',
        '{"ownHosts": {"": "127.0.0.1:80"}}',
        '{"isOpen": true',
    ],
)
def test_a_variable_that_makes_no_sense_opens_nothing(text: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PENSTOCK_OUTBOUND", text)

    with pytest.raises(InvalidPolicy, match="nothing may be called") as caught:
        Policy.from_environment()
    assert isinstance(caught.value, OutboundError)


def test_a_mistake_in_a_setting_is_named():
    with pytest.raises(ValueError, match="neither a host name, an address nor a network"):
        Policy(allow=("api.internal:8080",))
    with pytest.raises(ValueError, match="has host bits set"):
        Policy(allow=("10.0.0.5/8",))
