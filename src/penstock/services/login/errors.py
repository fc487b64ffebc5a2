"""What can go wrong when somebody signs in."""

from __future__ import annotations

import msgspec
from starlette.responses import Response

from penstock.foundation.errors import AppError, Forbidden, Invalid, NotFound, Unauthorized


class WrongPassword(Unauthorized):
    """The same for an unknown address, so that nobody learns who has an account."""

    def __init__(self) -> None:
        super().__init__("The e-mail address or the password is wrong.")


class WrongCode(Unauthorized):
    def __init__(self) -> None:
        super().__init__(
            "The code is wrong, has expired or was used before. Enter the one that your authenticator app shows now, "
            "or a recovery code."
        )


class UnfinishedSignInGone(Unauthorized):
    def __init__(self) -> None:
        super().__init__("This sign-in has expired or is complete. Start again with your password.")


class TooManyAttempts(AppError):
    status = 429
    code = "auth.tooManyAttempts"

    def __init__(self, seconds: int) -> None:
        wait = f"{round(seconds / 60)} minutes" if seconds > 90 else f"{max(1, seconds)} seconds"
        super().__init__(f"There were too many failed attempts to sign in. Try again in {wait}.")
        self.retry_after = max(1, seconds)


class TooManyInvitations(AppError):
    status = 429
    code = "management.tooManyInvitations"

    def __init__(self, seconds: int) -> None:
        minutes = max(1, round(seconds / 60))
        super().__init__(f"This address was invited too often. Invite it again in {minutes} minutes.")
        self.retry_after = max(1, seconds)


class TooManyRegistrations(AppError):
    status = 429

    def __init__(self, seconds: int) -> None:
        minutes = max(1, round(seconds / 60))
        super().__init__(f"Too many programs were registered from this address. Try again in {minutes} minutes.")
        self.retry_after = max(1, seconds)


class TooManyWaiting(AppError):
    status = 429
    retry_after = 60

    def __init__(self) -> None:
        super().__init__("Too many sign-ins have been started and not completed. Try again in a few minutes.")


class WeakPassword(Invalid):
    def __init__(self, problem: str) -> None:
        super().__init__(
            f"This password {problem}. Choose one of 12 to 128 characters that is not your e-mail address."
        )


class InvalidToken(Unauthorized):
    """Of a token that is unknown, revoked or not well-formed: they cannot be told apart."""

    code = "storage.tokenInvalid"

    def __init__(self) -> None:
        super().__init__("The token is not valid: it is unknown here, or it was revoked. Sign in again.")


class TokenOfClient(Unauthorized):
    code = "storage.tokenInvalid"

    def __init__(self) -> None:
        super().__init__(
            "This token is of a program that a person has let into one project. It does not change how that person "
            "signs in, and makes no other tokens. Sign in instead."
        )


class ExpiredToken(Unauthorized):
    code = "storage.tokenInvalid"

    def __init__(self) -> None:
        super().__init__("The token has expired. Refresh it, or sign in again.")


class LinkNotFound(NotFound):
    def __init__(self) -> None:
        super().__init__("This link was used before, has expired or was replaced by a newer one. Ask for a new one.")


class NoSecondFactor(Invalid):
    def __init__(self) -> None:
        super().__init__("There is no second factor to confirm. Start its setup first.")


class SecondFactorExists(Invalid):
    def __init__(self) -> None:
        super().__init__("You have a second factor. Remove it before you set up another one.")


class UnknownUserCode(Invalid):
    def __init__(self) -> None:
        super().__init__("No program waits with this code. Look at the code that the program shows, and try again.")


class OtherSite(Forbidden):
    def __init__(self) -> None:
        super().__init__(
            "The form was sent by a page of another site. Open the page of this stack and try again. Behind a proxy "
            "that adds TLS, the stack needs the setting `trusted_proxies` or `public_url`."
        )


class InvalidRedirect(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "redirectUri must be an http address of this machine, such as http://127.0.0.1:PORT/callback, an address "
            "of this stack, or one that its operator has listed in the setting `login_redirects`."
        )


class InvalidChallenge(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "codeChallenge must be the base64url text, 43 characters, of the SHA-256 of the verifier, and "
            "codeChallengeMethod must be S256: no other method is accepted."
        )


class SingleSignOnOff(NotFound):
    def __init__(self) -> None:
        super().__init__("This stack has no single sign-on. Its operator sets it up with `oidc_issuer`.")


class SingleSignOnFailed(Unauthorized):
    def __init__(self, problem: str) -> None:
        super().__init__(f"The single sign-on failed: {problem}. Start again; if it stays so, tell the operator.")


class GrantError(AppError):
    """An error of OAuth, with the word that programs look for (RFC 6749 and RFC 8628)."""

    def __init__(self, word: str, message: str, interval: int | None = None) -> None:
        super().__init__(message)
        self.code = word
        self.details = {"error": word, **({} if interval is None else {"interval": interval})}


def invalid_grant(message: str) -> GrantError:
    return GrantError("invalid_grant", message)


def as_grant_error(error: AppError, exception_id: str) -> Response:
    """Return the error as OAuth specifies: `error` is a word. Official clients read the word in `params`."""
    word = error.code if isinstance(error, GrantError) else _WORDS.get(error.status, "invalid_request")
    params = error.details if isinstance(error, GrantError) else {"error": word}
    body = {"error": word, "error_description": error.message, "code": error.status, "status": "error"}
    headers = {"content-type": "application/json", "cache-control": "no-store"}
    if error.retry_after:
        headers["retry-after"] = str(error.retry_after)
    content = msgspec.json.encode({**body, "params": params, "exceptionId": exception_id})
    return Response(content, error.status, headers=headers)


_WORDS = {429: "rate_limit_exceeded", 500: "server_error", 503: "temporarily_unavailable"}
