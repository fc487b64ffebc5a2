"""What a run must not tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.api import Api, Response
from tests.support.extraction import parameters, run_extraction, try_extraction

SECRET = "žluťoučký-heslo-1234"


def test_a_password_in_an_address_that_a_function_makes_is_not_logged(tmp_path: Path):
    with Api() as api:
        api.on("/users", {"items": [{"id": 1}]})
        address = {"function": "concat", "args": ["http://bob:hunter2-secret@", {"attr": "server"}, "/"]}
        config = {"debug": True, "server": api.url.removeprefix("http://"), "jobs": [{"endpoint": "users"}]}
        log = run_extraction({"api": {"baseUrl": address}, "config": config}, tmp_path / "out").log

    assert api.seen[0].headers["authorization"].startswith("Basic ")
    assert "hunter2" not in log
    assert api.seen[0].headers["authorization"].removeprefix("Basic ") not in log


def echoed(charset: str, stated: str, status: int) -> Response:
    """A refusal that repeats the secret, in a charset that it may or may not state."""
    headers = {"Content-Type": f"text/plain; charset={stated}" if stated else "text/plain"}
    return Response(status, f"The token {SECRET} has expired.".encode(charset), headers)


CHARSETS = [("iso-8859-2", "iso-8859-2"), ("utf-16-le", "utf-16"), ("utf-16-be", "utf-16-be"), ("utf-16", "")]


@pytest.mark.parametrize(("charset", "stated"), CHARSETS)
def test_a_secret_in_an_error_of_another_charset_is_hidden(tmp_path: Path, charset: str, stated: str):
    with Api() as api:
        api.on("/users", [echoed(charset, stated, 503), echoed(charset, stated, 401)])
        document = parameters(api.url, {"endpoint": "users"})
        document["config"]["#token"] = SECRET
        result = try_extraction(document, tmp_path)

    assert "[401]" in (result.error or "")
    assert (result.error or "").count("The token [hidden] has expired.") == 1
    (retried,) = result.warnings
    assert "The token [hidden] has expired." in retried
    assert "heslo" not in result.log.replace("\0", "").replace("\ufffd", "")
