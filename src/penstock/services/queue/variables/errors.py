"""Errors of placeholders. Users can fix all of them; each ends the job."""

from __future__ import annotations

from collections.abc import Iterable

from penstock.foundation.errors import Invalid


class SharedCodeUnreadable(Invalid):
    def __init__(self, reason: str) -> None:
        super().__init__(f"Shared code configuration cannot be read: {reason}")


class SharedCodeInvalid(Invalid):
    def __init__(self, problem: str) -> None:
        super().__init__(f"Shared code configuration is invalid: {problem}")


class VariablesUnreadable(Invalid):
    def __init__(self, reason: str) -> None:
        super().__init__(f"Variable configuration cannot be read: {reason}")


class VariablesInvalid(Invalid):
    def __init__(self, problem: str) -> None:
        super().__init__(f"Variable configuration is invalid: {problem}")


class ValuesUnreadable(Invalid):
    def __init__(self, row_id: str, variables_id: str) -> None:
        super().__init__(f'Cannot read variable values "{row_id}" of variables configuration "{variables_id}".')


class ValuesInvalid(Invalid):
    def __init__(self, problem: str) -> None:
        super().__init__(f"Variable values configuration is invalid: {problem}")


class NameEmpty(Invalid):
    def __init__(self) -> None:
        super().__init__("Variable name cannot be empty.")


class ValuesTwice(Invalid):
    def __init__(self) -> None:
        super().__init__("Only one of variableValuesId and variableValuesData can be entered.")


class NoValues(Invalid):
    def __init__(self, variables_id: str) -> None:
        super().__init__(f'No variable values provided for variables configuration "{variables_id}".')


class NoValue(Invalid):
    def __init__(self, name: str) -> None:
        super().__init__(f'No value provided for variable "{name}".')


class MissingValues(Invalid):
    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(f"Missing values for placeholders: {', '.join(names)}")


class BrokenDocument(Invalid):
    """The result of the replacement is not a configuration."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"Variable replacement resulted in invalid configuration, error: {problem}")
