"""What can go wrong in Management, named after what happened."""

from __future__ import annotations

from penstock.foundation.errors import Forbidden, Invalid, NotFound


class AccessDenied(Forbidden):
    def __init__(self, reason: str = "You don't have access to the resource.") -> None:
        super().__init__(reason)


class SecondFactorRequired(Forbidden):
    code = "management.secondFactorRequired"

    def __init__(self, organization: str) -> None:
        super().__init__(
            f'The organization "{organization}" requires a second factor, and you have none. Set one up with an '
            "authenticator app (POST /v1/auth/second-factor, then …/confirm), and try again."
        )


class ShareNotYours(Forbidden):
    def __init__(self) -> None:
        super().__init__(
            'The role "share" is given by members of the organization of the project, since it shares data with '
            "other projects. Ask one of them, or choose another role."
        )


class ThingNotFound(NotFound):
    """It does not exist, or not for this caller: both read the same."""

    def __init__(self, kind: str, value: str | int) -> None:
        super().__init__(f"{kind} {str(value)[:300]} not found")


class NotForPrograms(Forbidden):
    def __init__(self) -> None:
        super().__init__("Only a user can do this: send a manage token that belongs to a user.")


class AlreadyInvited(Invalid):
    def __init__(self, level: str) -> None:
        super().__init__(
            f"This user has already been invited to the {level}. Delete that invitation to send a new one."
        )


class AlreadyMember(Invalid):
    def __init__(self, level: str) -> None:
        super().__init__(f"This user is already a member of the {level}.")


class LastOfProject(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "You are the last administrator of this project, and nobody else could manage it. Make another member an "
            "administrator first."
        )


class InvalidEmail(Invalid):
    def __init__(self, value: str) -> None:
        super().__init__(f'"{value[:200]}" is not a valid e-mail address.')


class LastAdministrator(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "The stack needs a super administrator, and this user is the last one. Make another user one first."
        )


class UnknownFeature(Invalid):
    def __init__(self, feature: str, allowed: list[str]) -> None:
        listed = ", ".join(allowed) or "none"
        super().__init__(
            f'"{feature}" is not a feature of this stack. Features there are: {listed}. '
            "A super administrator creates others with POST /manage/features."
        )


class UnknownKind(Invalid):
    """A value that is not one of a list."""

    def __init__(self, what: str, value: str, allowed: list[str]) -> None:
        super().__init__(f'"{value[:200]}" is not a valid {what}. Use one of: {", ".join(allowed)}.')


class OnlyOne(Invalid):
    code = "management.onlyOne"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"This stack has one {what}, which comes with it; it cannot be changed and others cannot be added."
        )


class NotEmpty(Invalid):
    def __init__(self, kind: str, holds: str) -> None:
        super().__init__(f"The {kind} still has {holds}. Delete or move them first.")


class ReusedCode(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "This invitation link does not work: it was used already, it is too old, or it is for another user. "
            "Ask for a new invitation."
        )


class InvitorGone(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "The user who created this invitation has left, or may not invite others any more. Ask for a new one."
        )
