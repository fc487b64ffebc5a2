"""What a program asks for, checked before a person is asked.

Nobody is sent anywhere because of a request that is wrong: anybody can register an address, and a link to this stack
must not lead there by itself. The person reads what is wrong instead.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.login.authorizing import is_challenge
from penstock.services.login.errors import GrantError, InvalidChallenge
from penstock.services.login.oauth.models import AuthorizationRequest
from penstock.services.login.oauth.redirects import is_registered
from penstock.services.login.store import clients as store
from penstock.services.login.store.clients import Client
from penstock.web.addresses import Addresses

PATH_OF_MCP = "/mcp"


class UnknownProgram(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "The program is not registered here, or no longer. Remove this stack from the program and add it again."
        )


class OtherRedirect(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "redirect_uri is not one of the addresses that the program has registered. Nothing was sent to it."
        )


class WrongResponseType(Invalid):
    def __init__(self) -> None:
        super().__init__("response_type must be `code`: there is no other way to let a program in.")


def check_request(tx: Transaction, addresses: Addresses, request: AuthorizationRequest) -> Client:
    """The program that asks. Raises if the request is not valid."""
    client = store.find_client(tx, request.client_id)
    if not client:
        raise UnknownProgram
    if not is_registered(request.redirect_uri, client.redirect_uris):
        raise OtherRedirect
    if request.response_type != "code":
        raise WrongResponseType
    if request.code_challenge_method != "S256" or not is_challenge(request.code_challenge):
        raise InvalidChallenge
    check_resource(addresses, request.resource)
    return client


def find_resource(addresses: Addresses) -> str:
    """The address of the MCP server of this stack: the only resource that tokens are issued for."""
    return f"{addresses.url_of('mcp')}{PATH_OF_MCP}"


def check_resource(addresses: Addresses, resource: str) -> str:
    """The resource that a program names (RFC 8707). Those that name none ask for the only one."""
    own = find_resource(addresses)
    if resource and _normalize(resource) != own:
        message = f'There is no resource "{resource[:200]}" here. Tokens are issued for {own}.'
        raise GrantError("invalid_target", message)
    return own


def _normalize(address: str) -> str:
    """Scheme and host in lower case, without a slash at the end: programs differ in both."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return parts._replace(
        scheme=parts.scheme.lower(), netloc=parts.netloc.lower(), path=parts.path.rstrip("/")
    ).geturl()
