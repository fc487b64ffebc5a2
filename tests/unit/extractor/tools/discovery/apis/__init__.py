"""Small APIs with the conventions of well-known services: names of fields, page sizes and their caps, credentials."""

from __future__ import annotations

from tests.unit.extractor.tools.discovery.apis import addresses, bodies, frameworks, numbers, tokens
from tests.unit.extractor.tools.discovery.apis.small_api import SmallApi

APIS: tuple[SmallApi, ...] = (*addresses.APIS, *tokens.APIS, *numbers.APIS, *bodies.APIS, *frameworks.APIS)

__all__ = ["APIS", "SmallApi"]
