"""Names of repositories, digests and tags. None of them becomes a part of a path on the disk."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from penstock.services.developer.registry.errors import DigestInvalid, NameInvalid, TagInvalid
from penstock.web.addresses import Addresses

SERVICE = "developer"
_IS_DIGEST = re.compile(r"sha256:[0-9a-f]{64}").fullmatch
_IS_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}").fullmatch
_IS_PART = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*").fullmatch
"""What clients accept as a part of the name of a repository."""


def check_digest(text: str) -> str:
    if not _IS_DIGEST(text):
        raise DigestInvalid(f'"{text[:100]}" is not a valid digest: it is sha256:, and 64 digits from 0 to f.')
    return text


def is_digest(text: str) -> bool:
    return text.startswith("sha256:")


def check_tag(text: str) -> str:
    if not _IS_TAG(text):
        raise TagInvalid(text)
    return text


def repository_name(vendor_id: str, app_id: str) -> str:
    """Raises NameInvalid if no client could push to it."""
    for part in (vendor_id, app_id):
        if not _IS_PART(part):
            raise NameInvalid(part)
    return f"{vendor_id}/{app_id}"


def registry_address(addresses: Addresses) -> str:
    """Host and port, as clients write them before the name of an image.

    They ask at the root of a host: of the service's own, or of the address that the stack is reached by.
    """
    return urlsplit(addresses.bare or addresses.url_of(SERVICE)).netloc


def is_own_image(uri: str, addresses: Addresses, repository: str) -> bool:
    """Whether it is the repository of an app in this registry, by any address of the stack."""
    authority, _, name = uri.partition("/")
    own = {registry_address(addresses), f"{addresses.host_of(SERVICE)}{addresses.port}"}
    return name == repository and authority in own
