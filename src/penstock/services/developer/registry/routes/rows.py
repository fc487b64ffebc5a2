"""What the rows of the registry have in common."""

from __future__ import annotations

from starlette.requests import Request as HttpRequest

from penstock.services.developer.registry.access import Repository

PATH = "/v2"
REPOSITORY = f"{PATH}/{{vendor}}/{{app}}"
AT_ROOT = rf"{PATH}/?|{PATH}/[^/]+/[^/]+/(blobs|manifests|tags)/.+"
"""What clients of a registry ask for, at the root of an address. Paths of Storage begin with `/v2` too, and are not
these."""


def locate(http: HttpRequest, repository: Repository, *parts: str) -> str:
    """The address of something in a repository, in the form in which the request came."""
    return "/".join((f"{http.scope.get('root_path', '')}{PATH}", repository.name, *parts))
