"""Errors of AI."""

from __future__ import annotations

from collections.abc import Iterable

from penstock.foundation.errors import Invalid, NotFound


class EmptyQuestion(Invalid):
    """The words of the contract; `context` says which field."""

    status = 422

    def __init__(self, field: str) -> None:
        super().__init__("Request contents is not valid")
        self.faults = ({"path": field, "message": "It is empty: ask something."},)


class UnknownComponent(NotFound):
    def __init__(self, component_id: str) -> None:
        super().__init__(f'There is no component "{component_id}". POST /suggest/component finds those there are.')


class RowNotFound(NotFound):
    def __init__(self, config_id: str, row_id: str) -> None:
        super().__init__(f'The configuration "{config_id}" has no row "{row_id}" in this version.')


class NoEarlierVersion(Invalid):
    status = 422

    def __init__(self, version: int) -> None:
        super().__init__(f"Version {version} is the first one, so that there is none before it to compare it with.")


class UnknownTemplate(NotFound):
    def __init__(self, template: str, allowed: Iterable[str]) -> None:
        super().__init__(f'There is no prompt "{template}". Use one of: {", ".join(allowed)}.')
