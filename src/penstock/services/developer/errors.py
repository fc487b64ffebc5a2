"""Errors of Developer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.foundation.errors import AppError, Conflict, Forbidden, Invalid, NotFound, Unauthorized

_TYPES = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    409: "Conflict",
    413: "PayloadTooLarge",
    422: "UnprocessableEntity",
    429: "TooManyRequests",
}


def with_error_type(error: AppError) -> dict[str, Any]:
    """How this API writes errors, beside the fields that all services have. The id is filled in with the response."""
    kind = _TYPES.get(error.status, "InternalError" if error.status >= 500 else "BadRequest")
    common = {"error": error.message, "status": "error"}
    return {**common, "errorMessage": error.message, "errorType": kind, "requestId": ""}


class Unprocessable(Invalid):
    """The request was understood, and cannot be done."""

    status = 422


class ComponentShips(Conflict):
    code = "developer.componentShips"

    def __init__(self, component_id: str, done: str) -> None:
        super().__init__(f'The component "{component_id}" ships with the platform and cannot be {done}.')


class ComponentNotAdded(NotFound):
    code = "developer.componentNotAdded"

    def __init__(self, component_id: str) -> None:
        super().__init__(f'There is no component "{component_id}". See those there are: penstock components list')


class NoSuchTag(Unprocessable):
    code = "developer.noSuchTag"

    def __init__(self, app_id: str, tag: str, allowed: Sequence[str]) -> None:
        super().__init__(
            f'The component "{app_id}" has no version with the tag "{tag}". '
            f"Use one of: {', '.join(allowed)}. Without a tag, the current version runs."
        )


class NotApproved(Unprocessable):
    code = "developer.notApproved"

    def __init__(self, app_id: str, tag: str, allowed: Sequence[str]) -> None:
        super().__init__(
            f'The version of the component "{app_id}" with the tag "{tag}" waits for the approval of an administrator. '
            f"Use one of: {', '.join(allowed)}. Without a tag, the newest of them that is approved runs."
        )


class ArchiveDamaged(Invalid):
    code = "developer.archiveDamaged"

    def __init__(self, component_id: str, problem: str) -> None:
        super().__init__(
            f'The archive of the component "{component_id}" {problem}. '
            "Restore it from a backup, or publish a version with a new tag: penstock components publish DIR"
        )


class WrongLogin(Unauthorized):
    def __init__(self) -> None:
        super().__init__("The e-mail, username or password is wrong.")


class NoPassword(Unprocessable):
    def __init__(self) -> None:
        super().__init__("Send `email` with `password`; or, with a second factor, `session` and `code`.")


class NotALogin(Unprocessable):
    def __init__(self) -> None:
        super().__init__(
            "The token is not one of a login here, so nothing was ended. It is revoked where it was made: "
            "`POST /v1/auth/token/revoke` of Management takes it as `token`."
        )


class LivesLonger(Forbidden):
    def __init__(self) -> None:
        super().__init__(
            "The personal access token expires, and a service account does not. Sign in, or use one without an end."
        )


class InvalidToken(Unauthorized):
    def __init__(self) -> None:
        super().__init__("The token is not valid, or has expired. Sign in again: POST /auth/login")


class LimitedToken(Forbidden):
    def __init__(self) -> None:
        super().__init__(
            "This personal access token is limited to projects or to reading, so that it does not open the developer "
            "portal. Use one without limits."
        )


class VendorNotFound(NotFound):
    def __init__(self, vendor_id: str) -> None:
        super().__init__(f'There is no vendor "{vendor_id}".')


class AppNotFound(NotFound):
    def __init__(self, app_id: str) -> None:
        super().__init__(f'There is no app "{app_id}".')


class VersionNotFound(NotFound):
    def __init__(self, app_id: str, version: str) -> None:
        super().__init__(f'The app "{app_id}" has no version "{version}".')


class AccountNotFound(NotFound):
    def __init__(self, username: str) -> None:
        super().__init__(f'There is no account "{username}".')


class UserNotFound(NotFound):
    def __init__(self, username: str) -> None:
        super().__init__(f'The stack has no user "{username}". Users are invited: POST /manage/projects/ID/invitations')


class NotAsked(NotFound):
    def __init__(self, username: str, vendor_id: str) -> None:
        super().__init__(
            f'No user "{username}" belongs to the vendor "{vendor_id}" or has asked to. As long as it waits for '
            "approval, others are not added."
        )


class NotAMember(NotFound):
    def __init__(self, username: str, vendor_id: str) -> None:
        super().__init__(f'The user "{username}" does not belong to the vendor "{vendor_id}".')


class NotOfVendor(Forbidden):
    def __init__(self, vendor_id: str) -> None:
        super().__init__(f'You do not belong to the vendor "{vendor_id}".')


class AdminsOnly(Unprocessable):
    def __init__(self, fields: Sequence[str]) -> None:
        super().__init__(f"Only an administrator of the stack may set {', '.join(fields)}.")


class NameOfUser(Unprocessable):
    def __init__(self, username: str) -> None:
        super().__init__(
            f'"{username}" is an e-mail address, with which users of the stack sign in. Choose a name without "@" '
            "for a program; a user gets a vendor with POST /vendors/VENDOR/users/ADDRESS"
        )


class PlainSecret(Unprocessable):
    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} is a secret in plain text, and an app keeps none: everybody who may change the app could read it. "
            "Leave it out, and let each configuration have its own."
        )


class IdTaken(Unprocessable):
    def __init__(self, what: str, name: str) -> None:
        super().__init__(f'The {what} "{name}" exists already. Choose another id.')


class TagTaken(Unprocessable):
    def __init__(self, app_id: str, tag: str) -> None:
        super().__init__(
            f'The tag "{tag}" of "{app_id}" was published with other contents, and configurations may be pinned to it. '
            "Raise `tag` in component.json and publish again."
        )


class WrongArchive(Unprocessable):
    def __init__(self, archive_id: str, app_id: str) -> None:
        super().__init__(f'The archive is that of "{archive_id}" by its component.json, and not of "{app_id}".')


class NoProgram(Unprocessable):
    def __init__(self, app_id: str) -> None:
        super().__init__(
            f'The app "{app_id}" has no program yet, so it cannot be published. '
            "Upload an archive (POST …/versions), or set `repository` with uri and tag."
        )


class ChangedSince(Conflict):
    def __init__(self, app_id: str, version: int) -> None:
        super().__init__(
            f'The app "{app_id}" was changed since its approval was requested, and is at version {version} now. Look '
            f"at this version, and approve it by its number: POST …/versions/{version}/approve."
        )


class CurrentVersion(Unprocessable):
    def __init__(self, version: int) -> None:
        super().__init__(f"Version {version} is the current one. Roll back to another version before removing it.")


class ApprovedVersion(Unprocessable):
    def __init__(self, version: int) -> None:
        super().__init__(
            f"Version {version} is the one that projects run. Have another version approved before removing it."
        )


class NotPushed(Unprocessable):
    def __init__(self, image: str) -> None:
        super().__init__(
            f'The registry of this stack has no image "{image}". Push it first, with the credentials of '
            "GET /vendors/VENDOR/apps/APP/repository; or set `uri` to the registry that has it."
        )


class SignUpClosed(Forbidden):
    def __init__(self, problem: str) -> None:
        super().__init__(
            f"{problem} Ask an administrator for an invitation. "
            "The operator decides with `developer_sign_up` and `developer_sign_up_domains`."
        )


class TooManySignUps(AppError):
    status = 429
    retry_after = 3600

    def __init__(self) -> None:
        super().__init__("Too many sign-ups wait for their confirmation. Try again later.")


class NotConfirmed(NotFound):
    def __init__(self) -> None:
        super().__init__(
            "The link does not work: it was used, has expired, or a newer one was sent. "
            "Get a new one: POST /auth/confirm"
        )


class SignUpNotFound(NotFound):
    def __init__(self, email: str) -> None:
        super().__init__(f'No sign-up of "{email}" waits for a confirmation. See those there are: GET /admin/users')


class NoMail(Unprocessable):
    def __init__(self, vendor_id: str) -> None:
        super().__init__(
            "This stack sends no e-mails, so nobody can be invited by one. "
            f"Add a user of the stack: POST /vendors/{vendor_id}/users/ADDRESS"
        )


class InvitationNotFound(NotFound):
    def __init__(self) -> None:
        super().__init__("The invitation was accepted, has expired, or was replaced by a newer one. Ask for another.")


class NameNeeded(Unprocessable):
    def __init__(self) -> None:
        super().__init__("The address has no user on this stack yet. Send `name` and `password` to become one.")


class UsersOnly(Forbidden):
    def __init__(self) -> None:
        super().__init__("Only a user of the stack can do this, and not a service account. Sign in with your address.")


class VendorWaits(Unprocessable):
    def __init__(self, vendor_id: str) -> None:
        super().__init__(
            f'The vendor "{vendor_id}" waits for the approval of an administrator: POST /admin/vendors/VENDOR/approve'
        )


class NotAnIcon(Unprocessable):
    def __init__(self, problem: str) -> None:
        super().__init__(f"The icon {problem}.")


class IconNotFound(NotFound):
    def __init__(self) -> None:
        super().__init__("There is no such icon.")


class UsersHaveFactors(Unprocessable):
    def __init__(self) -> None:
        super().__init__(
            "Only users of the stack who have signed in here have a second factor. "
            "Service accounts have a long password instead."
        )
