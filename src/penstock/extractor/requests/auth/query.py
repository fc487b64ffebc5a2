"""Query authentication: credentials, or a signature computed from the request, in the query of every request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import Contexts, evaluate, flat
from penstock.extractor.base.http import Message
from penstock.extractor.base.values import as_map, is_empty
from penstock.extractor.requests.auth.address import request_contexts
from penstock.extractor.requests.auth.method import Auth, AuthConfig
from penstock.extractor.requests.sending.query import build_query, get_query, parse_query, with_query

OLD_TYPE = "Method 'url.query' auth is deprecated, use 'query'."
OLD_PLACE = "Using 'api.query' is deprecated, use 'api.authentication.query"
"""One quote is missing, as in the original."""
MIN_SECRET_LENGTH = 4


class Query(Auth, frozen=True, kw_only=True):
    name: str = "query"
    query: dict[str, Any]
    attr: dict[str, Any]

    @property
    def secrets(self) -> list[str]:
        """Returns the plain texts in the configuration; those under `#` keys are known already."""
        return [value for value in self.query.values() if isinstance(value, str) and len(value) >= MIN_SECRET_LENGTH]

    def signed(self, message: Message) -> Message:
        return add_query(message, self.query, {**request_contexts(message), "attr": self.attr})


def add_query(message: Message, query: dict[str, Any], contexts: Contexts) -> Message:
    """Parameters of the same name are replaced in their position, others are appended."""
    added = {name: evaluate(value, contexts) for name, value in query.items()}
    merged = {**parse_query(get_query(message.url)), **added}
    return message.with_url(with_query(message.url, build_query(merged)))


def read_query(config: AuthConfig, warn: Callable[[str], None]) -> Query:
    settings = as_map(config.api.get("authentication"))
    if settings.get("type") == "url.query":
        warn(OLD_TYPE)
    query = as_map(settings.get("query"))
    if not query and not is_empty(config.api.get("query")):
        warn(OLD_PLACE)
        query = as_map(config.api["query"])
    if not query:
        raise UserError("The query authentication method requires 'query' configuration in 'authentication' section.")
    return Query(name=settings["type"], query=query, attr=flat(config.attr))
