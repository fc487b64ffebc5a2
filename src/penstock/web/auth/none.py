"""No credentials: for services whose rows are all public."""

from __future__ import annotations

from penstock.foundation.callers import NOBODY, Right
from penstock.foundation.errors import Unauthorized
from penstock.web.auth.scheme import Scheme

NONE = Scheme(
    name="none",
    find_credential=lambda _http: "",
    explain_missing=lambda _http: Unauthorized("Nobody can sign in here."),
    find_caller=lambda _stack, _credential: NOBODY,
    rights=frozenset({Right.PUBLIC}),
)
