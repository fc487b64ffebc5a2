"""URLs, with options as curl takes them."""

from __future__ import annotations

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.discovery.inputs import read_target


def test_headers_and_a_login_are_added() -> None:
    target = read_target("url", b"", "https://a.example/x?a=1", headers=["X-Key: it's"], login="u:p")

    assert target.command.headers == {"X-Key": "it's", "Authorization": "Basic dTpw"}
    assert target.command.url.geturl() == "https://a.example/x?a=1"


def test_options_take_precedence_over_those_of_a_command() -> None:
    target = read_target("curl", b"curl https://a.example/x -H 'x-key: a'", headers=["X-Key: b"])

    assert target.command.headers == {"X-Key": "b"}


@pytest.mark.parametrize("url", ["a.example/x", "ftp://a.example/", "", "https://"])
def test_what_is_not_an_address_is_refused(url: str) -> None:
    with pytest.raises(UserError, match=r"not a valid address|Name the URL"):
        read_target("url", b"", url)
