"""Errors of configurations."""

from __future__ import annotations

from penstock.foundation.errors import AppError, Conflict, Invalid, NotFound


class ComponentNotFound(NotFound):
    def __init__(self, component_id: str) -> None:
        super().__init__(f'Component "{component_id}" not found')


class ConfigurationNotFound(NotFound):
    code = "storage.configuration.notFound"

    def __init__(self, config_id: str) -> None:
        super().__init__(f'Configuration "{config_id}" not found')


class ConfigurationExists(Invalid):
    code = "configurationAlreadyExists"

    def __init__(self, config_id: str) -> None:
        super().__init__(f'Configuration "{config_id}" already exists.')


class ConfigurationChanged(Conflict):
    code = "storage.configuration.changed"

    def __init__(self, config_id: str, version: int, who: str) -> None:
        super().__init__(
            f'Configuration "{config_id}" has changed since you have read it: version {version} is by {who}. '
            "Read it again, and send its version in If-Match."
        )


class RowChanged(Conflict):
    code = "storage.configurationRow.changed"

    def __init__(self, row_id: str, version: int) -> None:
        super().__init__(
            f"Row {row_id} has changed since you have read it: its version is {version}. "
            "Read it again, and send its version in If-Match."
        )


class InvalidConfiguration(Invalid):
    code = "storage.components.validation"


class InvalidFormat(Invalid):
    code = "validation.invalidConfigurationFormat"

    def __init__(self, field: str) -> None:
        super().__init__(f'"{field}" must be a JSON object.')


class InvalidStateFormat(InvalidFormat):
    code = "validation.invalidStateFormat"


class RowNotFound(NotFound):
    def __init__(self, row_id: str) -> None:
        super().__init__(f"Row {row_id} not found")


class RowExists(Invalid):
    code = "configurationRowAlreadyExists"

    def __init__(self, row_id: str, config_id: str) -> None:
        super().__init__(f'Configuration "{config_id}" already has a row "{row_id}".')


class InvalidRow(Invalid):
    code = "storage.componentsRows.validation"


class InvalidRowSortOrder(Invalid):
    code = "validation.invalidRowSortOrder"

    def __init__(self, row_id: str) -> None:
        super().__init__(f'"rowsSortOrder" must list every row of the configuration once; see row "{row_id}".')


class VersionNotFound(NotFound):
    def __init__(self, version: str) -> None:
        super().__init__(f"Version {version} not found")


class TrashOfBranch(Invalid):
    code = "storage.components.cannotDeleteConfiguration"

    def __init__(self) -> None:
        super().__init__("Deleting configuration from trash is not allowed in development branches.")


class NotImplementedHere(AppError):
    """Part of the contract that this stack does not implement, or not for this resource. Clients do not retry it."""

    status = 501
    code = "notImplemented"
