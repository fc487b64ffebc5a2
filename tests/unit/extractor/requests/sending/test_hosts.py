from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.sending.hosts import AllowedHosts, literal_url, read_allowed_hosts


def allowed(*entries: Any) -> AllowedHosts:
    return read_allowed_hosts({"image_parameters": {"allowed_hosts": list(entries)}})


def passes(entry: dict[str, Any], url: str, *, is_literal: bool = False) -> bool:
    hosts = allowed(entry)
    try:
        (hosts.check_literal if is_literal else hosts.check)(url)
    except UserError:
        return False
    return True


@pytest.mark.parametrize("document", [{}, {"image_parameters": {}}, {"image_parameters": {"allowed_hosts": []}}])
def test_without_a_list_every_host_is_allowed(document: dict[str, Any]):
    read_allowed_hosts(document).check("https://anything/")


@pytest.mark.parametrize(
    ("entry", "url", "is_allowed"),
    [
        ({"host": "h"}, "https://h/x?y", True),
        ({"host": "H"}, "https://h/x", True),
        ({"host": "h"}, "https://H/x", True),
        ({"host": "h"}, "https://sub.h/", False),
        ({"host": "h"}, "https://h.evil/", False),
        ({"host": "h"}, "https://evil/h", False),
        ({"host": "h", "scheme": "https"}, "https://h/", True),
        ({"host": "h", "scheme": "https"}, "http://h/", False),
        ({"host": "h", "port": 8080}, "http://h:8080/", True),
        ({"host": "h", "port": 8080}, "http://h:8081/", False),
        ({"host": "h", "port": "8080"}, "http://h:8080/", False),
        ({"host": "h", "endpoint": ""}, "https://h/x", True),
        ({"host": "h", "endpoint": "/"}, "https://h/x", True),
        ({"host": "h", "endpoint": "/api"}, "https://h/api", True),
        ({"host": "h", "endpoint": "api/"}, "https://h/api/?x=1", True),
        ({"host": "h", "endpoint": "/api"}, "https://h/api/v1/users", True),
        ({"host": "h", "endpoint": "/api"}, "https://h/apiary", False),
        ({"host": "h", "endpoint": "/api"}, "https://h/", False),
        ({"host": "h", "endpoint": "/api"}, "https://h/x?/api", False),
        ({"host": "h", "endpoint": "/api"}, "https://h/api/../secret", False),
        ({"host": "h", "endpoint": "/api"}, "https://h/api/%2E%2e/secret", False),
        ({"scheme": "https"}, "https://h/", False),
        ({"host": "h"}, "https://h:x/", False),
        ({"host": ""}, "https:///x", False),
        ([], "https://h/", False),
    ],
)
def test_an_entry_names_a_host_and_may_narrow_it(entry: dict[str, Any], url: str, is_allowed: bool):
    assert passes(entry, url) is is_allowed


def test_one_entry_of_several_is_enough():
    allowed({"host": "a"}, "nonsense", {"host": "b"}).check("https://b/")


def test_a_list_without_a_usable_entry_allows_nothing():
    with pytest.raises(UserError) as caught:
        allowed("h").check("https://h/")

    assert str(caught.value) == 'URL "https://h/" is not in the allowed hosts whitelist.'


def test_a_default_port_that_is_not_written_matches_no_number_in_a_configuration():
    entry = {"host": "h", "port": 443}

    assert not passes(entry, "https://h/", is_literal=True)
    assert passes(entry, "https://h:443/", is_literal=True)


def test_an_address_as_it_is_called_has_its_default_port():
    assert passes({"host": "h", "port": 443}, "https://h/")
    assert not passes({"host": "h", "port": 443}, "http://h/")


@pytest.mark.parametrize(
    ("base", "endpoint", "params", "url"),
    [
        ("https://h/v1/", "/users", {}, "https://h/v1/users"),
        ("https://h/v1", "users", {"a": [1], "b": "x y"}, "https://h/v1/users?a%5B0%5D=1&b=x+y"),
        ("https://h", "https://other/x", {}, "https://h/https://other/x"),
        ("https://h", "users/{id}", {"n": None}, "https://h/users/{id}"),
    ],
)
def test_the_first_check_is_of_base_and_endpoint_put_together(
    base: str, endpoint: str, params: dict[str, Any], url: str
):
    assert literal_url(base, endpoint, params) == url
