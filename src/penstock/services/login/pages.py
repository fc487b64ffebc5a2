"""What a browser shows: small pages that need no script. Everything that is not ours is escaped."""

from __future__ import annotations

from html import escape
from urllib.parse import quote, urlsplit

from starlette.responses import Response

from penstock.foundation.errors import AppError
from penstock.services.login.models import AuthorizeQuery
from penstock.web.small_pages import page


def error_page(error: AppError, exception_id: str) -> Response:
    note = f'<p class="note">{escape(exception_id)}</p>' if error.status >= 500 else ""
    response = page("This did not work", f'<p class="error">{escape(error.message)}</p>{note}', error.status)
    if error.retry_after:
        response.headers["retry-after"] = str(error.retry_after)
    return response


def sign_in_page(goes_to: str, *, has_sso: bool, error: AppError | None = None, email: str = "") -> Response:
    sso = f'<p><a href="sso?next={quote(goes_to, safe="")}">Sign in with single sign-on</a></p>' if has_sso else ""
    fields = (
        _input("E-mail address", "email", "email", "username", email)
        + _input("Password", "password", "password", "current-password")
        + hide_fields(next=goes_to)
    )
    forgotten = '<p><a href="forgotten">Forgotten your password?</a></p>'
    return page("Sign in", _problem(error) + make_form("sign-in", fields, "Sign in") + sso + forgotten, _status(error))


def forgotten_page(error: AppError | None = None, email: str = "") -> Response:
    form = make_form("forgotten", _input("E-mail address", "email", "email", "username", email), "Send a link")
    note = '<p class="note">You get an e-mail with a link to set a new password.</p>'
    return page("Forgotten password", _problem(error) + note + form, _status(error))


def code_page(goes_to: str, mfa_token: str, error: AppError | None = None, action: str = "code") -> Response:
    """`action` is the address of the form, from that of the page."""
    field = _input("Code of your authenticator app, or a recovery code", "code", "text", "one-time-code")
    form = make_form(action, field + hide_fields(mfaToken=mfa_token, next=goes_to), "Continue")
    return page("Second factor", _problem(error) + form, _status(error))


def password_page(email: str, name: str, code: str, error: AppError | None = None, action: str = "link") -> Response:
    fields = (
        _input("Your name", "name", "text", "name", name)
        + _input("New password, 12 characters or more", "password", "password", "new-password")
        + hide_fields(code=code)
    )
    note = f'<p class="note">For {escape(email)}.</p>'
    return page("Set your password", note + _problem(error) + make_form(action, fields, "Save"), _status(error))


def consent_page(email: str, query: AuthorizeQuery) -> Response:
    where = escape(urlsplit(query.redirect_uri).netloc)
    text = (
        f"<p>The program <strong>{escape(query.client_id)}</strong> at {where} wants to act as "
        f"<strong>{escape(email)}</strong> in all projects of this stack. "
        "Allow it only if you have just started it.</p>"
    )
    hidden = hide_fields(
        clientId=query.client_id,
        redirectUri=query.redirect_uri,
        codeChallenge=query.code_challenge,
        codeChallengeMethod=query.code_challenge_method,
        state=query.state,
    )
    return page("Allow a program to sign in", text + make_form("", hidden + make_choice()), leads_to=query.redirect_uri)


def invitation_page(email: str, code: str) -> Response:
    text = f"<p>You are signed in as {escape(email)}, who is invited.</p>"
    return page("Accept the invitation", text + make_form("invitation", hide_fields(code=code), "Accept"))


def user_code_page(user_code: str, error: AppError | None = None) -> Response:
    field = _input("Code that the program shows", "userCode", "text", "off", user_code)
    return page("Sign in a program", _problem(error) + make_form("device", field, "Continue"), _status(error))


def device_page(email: str, program: str, user_code: str) -> Response:
    text = (
        f"<p>The program <strong>{escape(program)}</strong> shows the code <strong>{escape(user_code)}</strong> and "
        f"wants to act as <strong>{escape(email)}</strong> in all projects of this stack. Allow it only if you have "
        "started it and see this code there.</p>"
    )
    return page(
        "Allow a program to sign in", text + make_form("device", hide_fields(userCode=user_code) + make_choice())
    )


def done_page(title: str, text: str) -> Response:
    return page(title, f"<p>{escape(text)}</p>")


def make_form(action: str, fields: str, submit: str = "") -> str:
    button = f"<button>{escape(submit)}</button>" if submit else ""
    where = f' action="{escape(action)}"' if action else ""
    return f'<form method="post"{where}>{fields}{button}</form>'


def make_choice() -> str:
    return (
        '<button name="decision" value="allow">Allow</button>'
        '<button name="decision" value="deny" class="second">Refuse</button>'
    )


def _input(label: str, name: str, kind: str, complete: str, value: str = "") -> str:
    return (
        f'<label for="{name}">{escape(label)}</label><input id="{name}" name="{name}" type="{kind}" '
        f'autocomplete="{complete}" value="{escape(value)}" required>'
    )


def hide_fields(**fields: str) -> str:
    return "".join(f'<input type="hidden" name="{name}" value="{escape(text)}">' for name, text in fields.items())


def _problem(error: AppError | None) -> str:
    return f'<p class="error" role="alert">{escape(error.message)}</p>' if error else ""


def _status(error: AppError | None) -> int:
    return error.status if error else 200
