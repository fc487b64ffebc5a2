"""Signed tokens of the developer portal: JWTs, signed with a key that is derived from the stack's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from penstock.foundation import clock
from penstock.foundation.secrets import Cipher
from penstock.services.developer.errors import InvalidToken

if TYPE_CHECKING:
    from joserfc.jwk import OctKey

# joserfc is imported by the functions that use it: it takes as long as a tenth of the start of a stack.
ALGORITHM = "HS256"
Use = Literal["access", "refresh", "push", "pull", "icon"]
MAX_LENGTH = 4_000


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    sub: str
    jti: int
    """The login; or the token of a user of the stack, if `is_personal`."""
    iat: int
    exp: int
    use: Use
    generation: int = 0
    app: str = ""
    """The only app that it is for."""
    is_personal: bool = False
    aud: Literal["developer"] = "developer"


def read_token(cipher: Cipher, text: str, *uses: Use) -> Claims:
    """The claims of a token that this stack has signed and that has not expired; raises InvalidToken."""
    if len(text) <= MAX_LENGTH and text.isascii():
        for key in _keys(cipher):
            if (claims := _verify(key, text)) and claims.use in uses and claims.exp > clock.now().timestamp():
                return claims
    raise InvalidToken


def _verify(key: OctKey, text: str) -> Claims | None:
    from joserfc import jws
    from joserfc.errors import JoseError

    try:
        found = jws.deserialize_compact(text, key, algorithms=[ALGORITHM])
        return msgspec.json.decode(found.payload, type=Claims)
    except (JoseError, msgspec.MsgspecError, ValueError, TypeError):
        return None


def sign_token(cipher: Cipher, claims: Claims) -> str:
    from joserfc import jws

    header = {"alg": ALGORITHM, "typ": "JWT"}
    return jws.serialize_compact(header, msgspec.json.encode(claims), _keys(cipher)[0], algorithms=[ALGORITHM])


def _keys(cipher: Cipher) -> list[OctKey]:
    from joserfc.jwk import OctKey

    return [OctKey.import_key(secret) for secret in cipher.derive_keys("developer", "jwt")]
