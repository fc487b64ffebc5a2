"""H18: tokens that end in mid-run, and logins whose response is lost."""

from __future__ import annotations

from typing import Any

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.model import table
from tests.e2e.hostile.scenario import ALWAYS, SECRET, Fault, Outcome, Scenario, Variant, fails
from tests.e2e.hostile.server import HostileApi
from tests.support.extraction import Extraction

REFUSED = "401 Unauthorized"


def login(**settings: Any) -> dict[str, Any]:
    return {
        "authentication": {
            "type": "login",
            "loginRequest": {"endpoint": "login", "method": "POST", "params": {"password": {"attr": "#token"}}},
            "apiRequest": {"headers": {"X-Session": {"response": "session.token"}}},
            **settings,
        }
    }


EACH_TIME = login(expires=-1)


async def issue(exchange: Exchange) -> None:
    """A new token for whoever knows the password."""
    assert SECRET.encode() in exchange.request.body
    tokens = exchange.memory.setdefault("tokens", [])
    tokens.append(f"session-{len(tokens)}-{SECRET}")
    await exchange.response(f'{{"session":{{"token":"{tokens[-1]}"}}}}'.encode(), ())


def _valid_for(pages: int) -> Fault:
    """Answers whoever shows a token that was not yet used for so many pages."""

    async def response(exchange: Exchange) -> None:
        token = exchange.request.headers.get("x-session", "")
        used = exchange.memory.setdefault("used", {})
        used[token] = used.get(token, 0) + 1
        is_valid = token in exchange.memory.get("tokens", ()) and used[token] <= pages
        await (exchange.response() if is_valid else exchange.response(b'{"message":"expired"}', (), REFUSED))

    return response


async def _refuse(exchange: Exchange) -> None:
    await exchange.response(b'{"message":"who are you?"}', (), REFUSED)


async def _lose_the_first(exchange: Exchange) -> None:
    """The token is issued, and its response lost."""
    if exchange.attempt:
        await issue(exchange)
    else:
        exchange.memory.setdefault("tokens", []).append("lost")
        await exchange.reset()


async def _rotate(exchange: Exchange) -> None:
    """The password is good for one login."""
    await (_refuse(exchange) if exchange.attempt else issue(exchange))


def _one_login(scenario: Scenario) -> Outcome:
    """However many requests are under way."""

    def check(_run: Extraction, api: HostileApi) -> None:
        assert len(api.memory["tokens"]) == 1

    return Outcome(table(scenario.records), check=check)


VARIANTS = (
    Variant("a token for all", _valid_for(ALWAYS), 1, _one_login, login(), login=issue, is_everywhere=True),
    Variant("a token for each page", _valid_for(1), api=EACH_TIME, login=issue, is_everywhere=True),
    Variant(
        "a token that ends", _valid_for(1), 1, fails(r"\[401\] Client error"), login(), login=issue, is_everywhere=True
    ),
    Variant("401 once", _refuse, 1, fails(r"\[401\] Client error"), login(), login=issue),
    Variant("401 once, tried again", _refuse, api={**login(), "retryConfig": {"http": {"codes": [401]}}}, login=issue),
    Variant("a login that is lost", _valid_for(ALWAYS), api=login(), login=_lose_the_first, is_everywhere=True),
    Variant("a password that is good once", _valid_for(ALWAYS), api=login(), login=_rotate, is_everywhere=True),
    Variant(
        "a password that is good once, and tokens for a page",
        *(_valid_for(1), 1, fails(r"\[401\] Client error: `POST .*/login`"), EACH_TIME),
        login=_rotate,
        is_everywhere=True,
    ),
)
