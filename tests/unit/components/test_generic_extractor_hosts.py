"""The hosts for which the secrets of a configuration are encrypted."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.components.generic_extractor import GENERIC_EXTRACTOR


def hosts(api: dict[str, Any], **config: Any) -> str:
    return GENERIC_EXTRACTOR.hosts_of({"parameters": {"api": api, "config": config}})


def test_the_base_address_and_absolute_endpoints_count():
    jobs = [{"endpoint": "users"}, {"endpoint": "https://other.test/x", "children": [{"endpoint": "//third.test/y"}]}]

    assert hosts({"baseUrl": "https://API.test/v1/"}, jobs=jobs) == "api.test other.test third.test"


def test_a_login_elsewhere_counts():
    login = {"type": "login", "loginRequest": {"endpoint": "https://login.test/token"}}

    assert hosts({"baseUrl": "https://api.test", "authentication": login}) == "api.test login.test"


def test_an_ssh_server_counts():
    parameters = {"api": {"baseUrl": "http://db.test"}, "config": {}, "sshProxy": {"host": "ssh.test"}}

    assert GENERIC_EXTRACTOR.hosts_of({"parameters": parameters}) == "db.test ssh.test"


def test_an_address_made_by_a_function_is_evaluated_for_every_iteration():
    base = {"function": "concat", "args": ["https://", {"attr": "server"}, "/"]}
    parameters = {"api": {"baseUrl": base}, "config": {"server": "a.test"}, "iterations": [{"server": "b.test"}]}

    assert GENERIC_EXTRACTOR.hosts_of({"parameters": parameters}) == "a.test b.test"


@pytest.mark.parametrize(
    "configuration",
    [{}, {"parameters": []}, {"parameters": {"api": 1}}, {"parameters": {"api": {"baseUrl": {"function": "nope"}}}}],
)
def test_a_configuration_that_makes_no_sense_yet_can_be_kept(configuration: dict[str, Any]):
    assert isinstance(GENERIC_EXTRACTOR.hosts_of(configuration), str)
