"""Errors of the broker, and their form: one client reads `error`, another `message`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from penstock.foundation.errors import AppError, Forbidden, Invalid, NotFound
from penstock.web.errors import with_status_code


class ConsumerNotFound(NotFound):
    def __init__(self, component_id: str) -> None:
        super().__init__(
            f'No OAuth application is registered for the component "{component_id}". '
            "A manager of the stack registers one with POST /manage."
        )


class ConsumerExists(Invalid):
    status = 422

    def __init__(self, component_id: str) -> None:
        super().__init__(f'An OAuth application for the component "{component_id}" exists. Change it with PATCH.')


class CredentialNotFound(NotFound):
    def __init__(self, component_id: str, credential_id: str) -> None:
        super().__init__(f'Credentials "{credential_id}" of the component "{component_id}" not found.')


class CredentialExists(Invalid):
    status = 422

    def __init__(self, component_id: str, credential_id: str) -> None:
        super().__init__(
            f'Credentials "{credential_id}" of the component "{component_id}" exist. '
            "Delete them first, or choose another id."
        )


class CredentialOfOthers(Forbidden):
    def __init__(self, component_id: str, credential_id: str, creator: str, created: datetime) -> None:
        super().__init__(
            f'Credentials "{credential_id}" of the component "{component_id}" were stored at {created:%Y-%m-%d %H:%M} '
            f"UTC by {creator}. To replace or delete them, use that token or one that may manage all buckets; or "
            "choose another id."
        )


class CustomApplicationRefused(Invalid):
    def __init__(self, component_id: str) -> None:
        super().__init__(
            f'The component "{component_id}" is authorized with the application of this stack only: '
            "leave out appKey, appSecret, authUrl and tokenUrl."
        )


class IncompleteApplication(Invalid):
    """The secret of the stack's application must not be sent to an address that a user chose."""

    def __init__(self) -> None:
        super().__init__("A custom application needs appKey and appSecret; authUrl and tokenUrl need both of them too.")


class InvalidUrl(Invalid):
    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field} is not valid. {problem}")


class NoRequestTokenUrl(Invalid):
    def __init__(self) -> None:
        super().__init__("An application of OAuth 1.0 needs requestTokenUrl.")


class AuthorizationNotFound(Invalid):
    """Whether it never was, has expired, is complete, or belongs to another browser or component is not told."""

    def __init__(self) -> None:
        super().__init__(
            "This authorization was not started in this browser, has expired or is complete. Start it again."
        )


class AuthorizationDenied(Invalid):
    def __init__(self, reason: str) -> None:
        super().__init__(f"The authorization was not granted: {reason}. Start it again.")


class ProviderFailed(Invalid):
    """The provider could not be reached, or its response was not as expected. A later request may succeed."""


class ProviderRefused(Invalid):
    """The provider refused the request: sending it again does not help."""

    def __init__(self, host: str, reason: str) -> None:
        super().__init__(f"{host} refused the request: {reason}. Check the application, or authorize again.")


class CredentialMissing(Invalid):
    def __init__(self, component_id: str, credential_id: str) -> None:
        super().__init__(
            f'The configuration uses the OAuth credentials "{credential_id}" of the component "{component_id}", '
            "which do not exist. Authorize the configuration again."
        )


class RefreshFailed(Invalid):
    def __init__(self, credential_id: str, problem: str) -> None:
        super().__init__(f'The access token of the OAuth credentials "{credential_id}" has expired. {problem}')


def with_message(error: AppError) -> dict[str, Any]:
    return {**with_status_code(error), "message": error.message}
