"""Secrets beside placeholders: they open where they were entered for, and nowhere that a value leads them."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.components.generic_extractor import GENERIC_EXTRACTOR
from penstock.foundation.secrets import Cipher, Scope, UnreadableSecret
from penstock.services.queue.variables import find_meant_hosts
from penstock.services.queue.variables.mustache import fill_document

CIPHER = Cipher(bytes(range(32)))
hosts_of = GENERIC_EXTRACTOR.hosts_of


def configuration(base: str, **config: str) -> dict[str, Any]:
    return {"parameters": {"api": {"baseUrl": base}, "config": {"#password": "s3cret", **config}}}


def opened(document: dict[str, Any], values: dict[str, str]) -> str:
    """The password as a job finds it: sealed as it is stored, with the values put in before it is opened."""
    stored = CIPHER.encrypt(document, Scope(1, "ex-generic-v2", hosts_of(document)))
    resolved = fill_document(stored, values).document
    scope = Scope(1, "ex-generic-v2", find_meant_hosts(hosts_of, stored, resolved))
    return CIPHER.decrypt(resolved, scope)["parameters"]["config"]["#password"]


@pytest.mark.parametrize(
    "base",
    [
        "https://api.example.com/{{ path }}",
        "https://{{ host }}/",
        "https://{{ host }}.example.com",
        "{{ url }}",
        "{{{ url }}}v2/",
    ],
)
def test_a_secret_opens_for_the_hosts_that_it_was_entered_for(base: str) -> None:
    assert opened(configuration(base), {"host": "shop", "path": "v2", "url": "https://shop.example/"}) == "s3cret"


@pytest.mark.parametrize(
    "config",
    [{"note": "{{{ x }}}"}, {"endpoint": "/{{ path }}", "note": "{{{ x }}}"}],
)
def test_a_raw_value_does_not_lead_a_secret_to_another_host(config: dict[str, str]) -> None:
    document = configuration("https://api.example.com/", **config)
    stolen = {"x": '", "endpoint": "https://evil.example/', "path": "v2"}

    with pytest.raises(UnreadableSecret):
        opened(document, stolen)


def test_a_value_that_is_an_address_does_not_lead_a_secret_there() -> None:
    document = configuration("https://api.example.com/", endpoint="{{ path }}")

    assert opened(document, {"path": "users"}) == "s3cret"
    with pytest.raises(UnreadableSecret):
        opened(document, {"path": "https://evil.example/"})
