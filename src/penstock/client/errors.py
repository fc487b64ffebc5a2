"""Errors of the client.

    ClientError
    ├── StackUnreachable   no response
    ├── NotAStack          the response is not that of a stack
    ├── ServiceMissing     the stack has no such service
    └── RequestRefused     the service refused, with its own message
        ├── TokenRefused   401
        ├── AccessDenied   403
        └── NotThere       404

Messages of a service are passed on unchanged; str() of an error also names the service.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from penstock.foundation.errors import AppError


class ClientError(AppError):
    """`message` is for the user; `exception_id` identifies the error in the stack's log."""

    exception_id: str | None = None


class StackUnreachable(ClientError):
    status = 503

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason.rstrip('.')}. Is the stack running, and is this its address?")


class NotAStack(ClientError):
    status = 502

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(
            f"{url} is not the storage address of a stack: {reason.rstrip('.')}. "
            "`penstock up` prints the right one; on another machine it is https://connection.<the stack's domain>."
        )


class UnsafeAddress(ClientError):
    """The token would be sent unencrypted to a service of a stack that is itself reached over TLS."""

    status = 502

    def __init__(self, service_id: str, url: str) -> None:
        super().__init__(
            f"The stack gives {url} as the address of its {service_id}: plain HTTP, where a token could be read. "
            "Its operator can fix that with --public-url and trusted_proxies."
        )


class ServiceMissing(ClientError):
    status = 404

    def __init__(self, service_id: str, there: list[str]) -> None:
        super().__init__(f"This stack has no service {service_id!r}; it has: {', '.join(there) or 'none'}.")


class RequestRefused(ClientError):
    """The service's own message and status."""

    def __init__(self, url: str, status: int, sentence: str, exception_id: str | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.url, self.exception_id = url, exception_id

    def __str__(self) -> str:
        quoted = f" ({self.exception_id})" if self.exception_id else ""
        return f"{_service(self.url)} answered {self.status}: {self.message}{quoted}{self.advice}"

    @property
    def advice(self) -> str:
        return ""


class TokenRefused(RequestRefused):
    @property
    def advice(self) -> str:
        return "\nA token is valid only in the stack that issued it, until it expires or is revoked."


class AccessDenied(RequestRefused):
    @property
    def advice(self) -> str:
        return "\nThe token is valid but may not do this; use one with more rights."


class NotThere(RequestRefused):
    pass


_BY_STATUS: dict[int, type[RequestRefused]] = {401: TokenRefused, 403: AccessDenied, 404: NotThere}


def refused(url: str, status: int, sentence: str, exception_id: str | None) -> RequestRefused:
    return _BY_STATUS.get(status, RequestRefused)(url, status, sentence, exception_id)


def _service(url: str) -> str:
    """The address of the response, without its query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path}"
