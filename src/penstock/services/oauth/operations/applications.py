"""The application that a user authorizes: that of the stack, or a custom one."""

from __future__ import annotations

from urllib.parse import parse_qsl, quote, urlencode

from penstock.foundation.database import Transaction
from penstock.foundation.outbound import Refused
from penstock.foundation.outbound.urls import read_target
from penstock.foundation.secrets import Cipher
from penstock.services.oauth.errors import CustomApplicationRefused, IncompleteApplication, InvalidUrl
from penstock.services.oauth.models.authorizations import Application, AuthorizeForm
from penstock.services.oauth.models.consumers import ConsumerRow
from penstock.services.oauth.operations.sealing import consumer_scope, open_given, scope_of, unseal

PLACEHOLDERS = {
    "client_id": "client_id",
    "redirect_uri": "redirect_uri",
    "hash": "state",
    "oauth_token": "oauth_token",
}
"""What an address may contain between `%%`, and the parameter that is added if it does not."""
RESERVED = "!#$%&'()*+,/:;=?@[]"
"""Characters with a meaning in a fragment, which is not ours to change."""


def choose_application(
    tx: Transaction, cipher: Cipher, consumer: ConsumerRow, project_id: int, form: AuthorizeForm
) -> Application:
    """The secret of the stack's application goes to the addresses of the stack's application only."""
    if any((form.app_key, form.app_secret, form.auth_url, form.token_url)):
        return _custom(tx, cipher, consumer, project_id, form)
    scope = consumer_scope(consumer.component_id)
    return _build(
        consumer,
        form,
        key=consumer.app_key,
        secret=unseal(cipher, consumer.app_secret, scope, "appSecret"),
        component_secret=unseal(cipher, consumer.app_secret_docker, scope, "appSecretDocker"),
    )


def _custom(
    tx: Transaction, cipher: Cipher, consumer: ConsumerRow, project_id: int, form: AuthorizeForm
) -> Application:
    if consumer.restrict_custom_auth:
        raise CustomApplicationRefused(consumer.component_id)
    if not form.app_key or not form.app_secret:
        raise IncompleteApplication
    scope = scope_of(project_id, consumer.component_id)
    secret = open_given(tx, cipher, form.app_secret, scope, "appSecret")
    return _build(consumer, form, key=form.app_key, secret=secret, component_secret=secret)


def _build(consumer: ConsumerRow, form: AuthorizeForm, *, key: str, secret: str, component_secret: str) -> Application:
    check_url("authUrl", form.auth_url or consumer.auth_url)
    check_url("tokenUrl", form.token_url or consumer.token_url)
    return Application(
        version=consumer.oauth_version,
        key=key,
        secret=secret,
        component_secret=component_secret,
        auth_url=form.auth_url or consumer.auth_url,
        token_url=form.token_url or consumer.token_url,
        request_token_url=consumer.request_token_url or "",
        has_custom_token_url=bool(form.token_url),
        uses_pkce=consumer.use_pkce,
    )


def check_url(field: str, url: str) -> None:
    """Raise unless it is an unambiguous http or https URL, without user information."""
    try:
        read_target(_fill(url, dict.fromkeys(PLACEHOLDERS, "x")))
    except Refused as error:
        raise InvalidUrl(field, str(error)) from error


def encode_url(url: str) -> str:
    """A checked address as a header can hold it: in ASCII, with its fragment."""
    if url.isascii() and " " not in url:
        return url
    _, sign, fragment = url.partition("#")
    return f"{read_target(url).url}{sign}{quote(fragment, safe=RESERVED, errors='surrogateescape')}"


def make_location(template: str, values: dict[str, str], more: dict[str, str]) -> str:
    """The address that the user is sent to. What has no placeholder is added as a parameter, unless it is there."""
    url = _fill(template.partition("#")[0], values)
    known = {name for name, _ in parse_qsl(url.partition("?")[2], keep_blank_values=True)}
    missing = {PLACEHOLDERS[name]: value for name, value in values.items() if f"%%{name}%%" not in template}
    added = {name: value for name, value in (missing | more).items() if name not in known}
    if not added:
        return url
    return f"{url}{'&' if '?' in url else '?'}{urlencode(added, quote_via=quote)}"


def _fill(template: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        template = template.replace(f"%%{name}%%", quote(value, safe=""))
    return template
