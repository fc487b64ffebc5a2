"""What can go wrong in Storage, by name."""

from __future__ import annotations

from penstock.foundation.errors import Invalid, NotFound, Unauthorized


class InvalidToken(Unauthorized):
    code = "storage.tokenInvalid"

    def __init__(self) -> None:
        super().__init__("Invalid access token")


class TokenExpired(Unauthorized):
    code = "storage.tokenInvalid"

    def __init__(self) -> None:
        super().__init__("The access token has expired.")


class TokenNotFound(NotFound):
    def __init__(self, token_id: str) -> None:
        super().__init__(f"Token {token_id} not found")


class InvalidPermissions(Invalid):
    code = "storage.tokens.invalidPermissions"


class BranchNotFound(NotFound):
    def __init__(self, branch: str) -> None:
        super().__init__(f'Branch id:"{branch}" was not found.')


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


class InvalidConfiguration(Invalid):
    code = "storage.components.validation"


class InvalidFormat(Invalid):
    code = "validation.invalidConfigurationFormat"

    def __init__(self, field: str) -> None:
        super().__init__(f'"{field}" must be a JSON object.')


class InvalidStateFormat(InvalidFormat):
    code = "validation.invalidStateFormat"


class BucketNotFound(NotFound):
    code = "storage.buckets.notFound"

    def __init__(self, bucket_id: str, project_id: int) -> None:
        super().__init__(f'The bucket "{bucket_id}" was not found in the project "{project_id}"')


class InvalidBucket(Invalid):
    code = "storage.buckets.validation"


class TableNotFound(NotFound):
    code = "storage.tables.notFound"

    def __init__(self, bucket_id: str, name: str, project_id: int) -> None:
        super().__init__(f'The table "{name}" was not found in the bucket "{bucket_id}" in the project "{project_id}"')


class InvalidTable(Invalid):
    code = "storage.tables.validation"


class InvalidColumn(Invalid):
    code = "storage.tables.validation.invalidColumnName"


class InvalidPreviewFormat(Invalid):
    code = "storage.tables.validation.invalidFormat"

    def __init__(self, given: str) -> None:
        super().__init__(f'The format "{given}" is not known; use "rfc" or "json".')


class EventNotFound(NotFound):
    def __init__(self, event_id: str) -> None:
        super().__init__(f"Event {event_id} not found")


class InvalidKey(Invalid):
    code = "storage.validation.primaryKey"
