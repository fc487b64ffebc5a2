"""Several endpoints to choose from, as OpenAPI documents and HAR files have."""

from __future__ import annotations

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.discovery.target import Target


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
    """The only one, or the named one; raises UserError with `nothing` if there are none."""
    if not choices:
        raise UserError(nothing)
    if not endpoint and len(choices) > 1:
        raise SeveralEndpoints(choices)
    found = [choice for choice in choices if not endpoint or endpoint.strip("/") == choice.endpoint.strip("/")]
    if not found:
        near = [choice for choice in choices if endpoint.strip("/").lower() in choice.endpoint.lower()]
        hint = f" Did you mean {', '.join(choice.endpoint for choice in near[:5])}?" if near else ""
        raise UserError(f"There is no endpoint {endpoint} that returns a list.{hint} Leave out --endpoint to see all.")
    return found[0].target
