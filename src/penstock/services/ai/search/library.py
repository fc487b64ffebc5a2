"""The indexes of this process: that of the documentation is built once, that of components whenever these change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache

from penstock.components.component import Component
from penstock.services.ai.search.index import Index
from penstock.services.ai.search.passages import component_passage, page_passages
from penstock.web.pages import list_pages


class ComponentsIndex:
    """The index of one version of the registry, and which of its components are bundled."""

    def __init__(self, components: Sequence[Component]) -> None:
        self.index = Index(map(component_passage, components))
        self.by_id = {component.id: component for component in components}


class Library:
    """Built by the first request that needs it, while others that need it wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version: str | None = None
        self._components = ComponentsIndex([])

    def components(self, version: str, read: Callable[[], Sequence[Component]]) -> ComponentsIndex:
        """`read` is called if the version is not the one that the index was built from."""
        with self._lock:
            if version != self._version:
                self._components, self._version = ComponentsIndex(read()), version
            return self._components


LIBRARY = Library()


@cache
def documentation() -> Index:
    return Index(page_passages(list_pages()))
