"""Errors of Encryption."""

from __future__ import annotations

from penstock.foundation.errors import Forbidden, Invalid, Unauthorized


class UnsupportedType(Invalid):
    status = 415

    def __init__(self, content_type: str) -> None:
        given = f'"{content_type}"' if content_type else "no Content-Type"
        super().__init__(f"The request has {given}. Send application/json or text/plain.")


class InvalidContent(Invalid):
    """The body is not what its content type says."""


class TooManySecrets(Invalid):
    def __init__(self, limit: int) -> None:
        super().__init__(
            f"The document has more than {limit:,} values under `#` keys. "
            f"Send it in parts, each with at most {limit:,}."
        )


class InvalidHost(Invalid):
    def __init__(self, host: str) -> None:
        super().__init__(f"{host!r} is not a host. Write its name, with its port if it is not the usual one.")


class MayNotMigrate(Forbidden):
    def __init__(self, feature: str) -> None:
        super().__init__(f'Only a user with the feature "{feature}" migrates configurations with their secrets.')


class InvalidDestination(Invalid):
    status = 422

    def __init__(self, problem: str) -> None:
        super().__init__(f"destinationStack is not the host of a stack. {problem}")


class DestinationExists(Invalid):
    status = 422

    def __init__(self, component_id: str, config_id: str) -> None:
        super().__init__(
            f'The destination has a configuration "{config_id}" of the component "{component_id}". '
            "Delete it there first, and empty the trash."
        )


class DestinationRefused(Unauthorized):
    def __init__(self, status: int) -> None:
        super().__init__(f"The destination refuses destinationStorageApiToken, with the status {status}.")


class DestinationFailed(Invalid):
    """It could not be called, or did not respond as a stack does."""


class Incomplete(Invalid):
    def __init__(self, config_id: str, problem: str) -> None:
        super().__init__(
            f'The configuration "{config_id}" is at the destination without all of its rows. {problem} '
            "Delete it there, and migrate it again."
        )
