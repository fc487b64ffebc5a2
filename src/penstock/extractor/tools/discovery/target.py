"""The request that discovery starts from: a URL, or one of several endpoints of an OpenAPI document or HAR file, with
headers and a login as curl takes them."""

from __future__ import annotations

from shlex import quote

import msgspec
from msgspec.structs import replace

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import merge_headers
from penstock.extractor.tools.curl.command import Command, read_command


class Target(msgspec.Struct, frozen=True):
    command: Command
    declared: tuple[str, ...] = ()
    """Names of query parameters that an OpenAPI document declares for this endpoint."""
    needs: tuple[str, ...] = ()
    """What an OpenAPI document says that requests must carry, and this one does not."""


class Choice(msgspec.Struct, frozen=True):
    endpoint: str
    """The path, or the method and the path for a request that is not GET."""
    note: str
    target: Target


class SeveralEndpoints(UserError):
    """The user has to choose."""

    def __init__(self, choices: list[Choice]) -> None:
        super().__init__(f"There are {len(choices)} endpoints that return lists. Choose one with --endpoint.")
        self.choices = choices


def choose(choices: list[Choice], endpoint: str, nothing: str) -> Target:
    """Returns the only one, or the named one; raises UserError with `nothing` if there are none."""
    if not choices:
        raise UserError(nothing)
    if not endpoint and len(choices) > 1:
        raise SeveralEndpoints(choices)
    matches = [choice for choice in choices if not endpoint or endpoint.strip("/") == choice.endpoint.strip("/")]
    if not matches:
        near = [choice for choice in choices if endpoint.strip("/").lower() in choice.endpoint.lower()]
        hint = f" Did you mean {', '.join(choice.endpoint for choice in near[:5])}?" if near else ""
        raise UserError(f"There is no endpoint {endpoint} that returns a list.{hint} Leave out --endpoint to see all.")
    return matches[0].target


def read_url(url: str) -> Command:
    """Raises UserError for a text that is not an HTTP URL."""
    try:
        return read_command(f"curl --url {quote(url)}")
    except UserError:
        raise UserError(f"{url} is not a valid address. Write it with http:// or https:// in front.") from None


def with_options(command: Command, headers: list[str], login: str) -> Command:
    """Returns the command with more headers (`Name: value`) and a login (`user:password`), which take precedence."""
    words = [f"-H {quote(header)}" for header in headers] + ([f"-u {quote(login)}"] if login else [])
    added = read_command(" ".join(["curl http://localhost/", *words])).headers
    merged = {name: str(value) for name, value in merge_headers(dict(command.headers), dict(added)).items()}
    return replace(command, headers=merged)
