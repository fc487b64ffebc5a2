"""Whether an id token is signed by the provider, for this stack, for this sign-in, and still valid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from penstock.foundation import clock
from penstock.services.login.errors import SingleSignOnFailed

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
"""Signatures with the key of the provider. Neither `none` nor those with a shared secret are accepted."""
LEEWAY = 60
"""Seconds that the clock of the provider may be wrong."""


OF_METHODS = ("amr", "acr")
"""The claims that say how the user has signed in at the provider."""


def proves_second_factor(claims: Mapping[str, Any], values: Sequence[str]) -> bool:
    """Whether `amr`, a list, or `acr`, a text, has one of the values that the operator has named."""
    methods = claims.get("amr")
    said: list[Any] = [claims.get("acr"), *(cast(list[Any], methods) if isinstance(methods, list) else [methods])]
    return any(isinstance(each, str) and each in values for each in said)


def verify(id_token: str, keys: dict[str, Any], issuer: str, client_id: str, nonce: str) -> dict[str, Any]:
    """Verify the token; return its claims."""
    from authlib.oidc.core import CodeIDToken
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    try:
        token = jwt.decode(id_token, KeySet.import_key_set(keys), algorithms=ALGORITHMS)  # pyright: ignore[reportArgumentType]
        claims = CodeIDToken(
            token.claims,
            token.header,
            options={"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client_id}},
            params={"nonce": nonce, "client_id": client_id},
        )
        now = int(clock.now().timestamp())
        claims.validate(now=now, leeway=LEEWAY)  # pyright: ignore[reportUnknownMemberType]
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise SingleSignOnFailed("the id token of the provider is not valid") from error
    return dict(claims)
