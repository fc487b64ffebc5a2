"""A URL, with headers and a login as curl takes them."""

from __future__ import annotations

from shlex import quote

from msgspec.structs import replace

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import merge_headers
from penstock.extractor.tools.curl.command import Command, read_command


def read_url(url: str) -> Command:
    """Raises UserError for a text that is not an HTTP URL."""
    try:
        return read_command(f"curl --url {quote(url)}")
    except UserError:
        raise UserError(f"{url} is not a valid address. Write it with http:// or https:// in front.") from None


def with_options(command: Command, headers: list[str], login: str) -> Command:
    """The command with more headers (`Name: value`) and a login (`user:password`), which take precedence."""
    words = [f"-H {quote(header)}" for header in headers] + ([f"-u {quote(login)}"] if login else [])
    added = read_command(" ".join(["curl http://localhost/", *words])).headers
    merged = {name: str(value) for name, value in merge_headers(dict(command.headers), dict(added)).items()}
    return replace(command, headers=merged)
