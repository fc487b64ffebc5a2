"""Where a target comes from: a URL, a curl command, an OpenAPI document or a HAR file; one file each."""

from __future__ import annotations

from msgspec.structs import replace

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.curl.command import read_command
from penstock.extractor.tools.discovery.inputs import har, openapi
from penstock.extractor.tools.discovery.target import Choice, SeveralEndpoints, Target, choose, read_url, with_options

__all__ = ["Choice", "SeveralEndpoints", "read_target"]


def read_target(
    kind: str, content: bytes, url: str = "", endpoint: str = "", headers: list[str] | None = None, login: str = ""
) -> Target:
    """`kind` is url, curl, openapi or har, `content` the file. Raises UserError, or SeveralEndpoints to choose from."""
    target = _read(kind, content, url, endpoint)
    return replace(target, command=with_options(target.command, headers or [], login))


def _read(kind: str, content: bytes, url: str, endpoint: str) -> Target:
    if kind == "openapi":
        return choose(openapi.read_openapi(content, url), endpoint, openapi.NOTHING)
    if kind == "har":
        return choose(har.read_har(content), endpoint, har.NOTHING)
    if kind == "curl":
        return Target(read_command(content.decode("utf-8", "replace")))
    if not url:
        raise UserError("Name the URL of a list: penstock new https://api.example.com/orders")
    return Target(read_url(url))
