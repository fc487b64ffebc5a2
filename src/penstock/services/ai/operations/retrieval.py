"""Suggestions of components, and passages of texts that answer a question."""

from __future__ import annotations

from urllib.parse import quote

import msgspec

from penstock.foundation.database import Transaction
from penstock.foundation.stacks import PORTAL, STORAGE
from penstock.services.ai.models import SuggestedComponent
from penstock.services.ai.search.index import Hit
from penstock.services.ai.search.library import LIBRARY, ComponentsIndex, documentation
from penstock.services.developer import interface as developer
from penstock.web.addresses import Addresses

COMPONENTS = 10
PASSAGES = 4
QUOTED_CHARACTERS = 1_500
LEAST_SCORE = 0.05
"""Below it a text shares some frequent word with the question, and nothing else."""


class Quote(msgspec.Struct, frozen=True):
    """A passage, and where it is from."""

    title: str
    text: str
    url: str
    score: float


def find_components(tx: Transaction) -> ComponentsIndex:
    return LIBRARY.components(developer.components_version(tx), lambda: developer.list_components(tx))


def suggest_components(found: ComponentsIndex, question: str) -> list[SuggestedComponent]:
    """The best first; each with a score that can be compared between questions."""
    hits = [hit for hit in found.index.find(question, COMPONENTS) if hit.score >= LEAST_SCORE]
    return [
        SuggestedComponent(
            component_id=hit.passage.key,
            score=hit.score,
            source="added" if found.by_id[hit.passage.key].folder else "bundled",
        )
        for hit in hits
    ]


def find_quotes(found: ComponentsIndex, question: str, addresses: Addresses, most: int = PASSAGES) -> list[Quote]:
    """Of the documentation and of components, the best first."""
    pages = [_quote(hit, _page_url(hit, addresses)) for hit in documentation().find(question, most)]
    components = [_quote(hit, _component_url(found, hit, addresses)) for hit in found.index.find(question, most)]
    best = sorted([*pages, *components], key=lambda each: -each.score)[:most]
    return [each for each in best if each.score >= LEAST_SCORE]


def answer(quotes: list[Quote]) -> str:
    """The passages as Markdown, each with its source."""
    if not quotes:
        return (
            "Neither the documentation nor the texts of the components say anything about this. "
            "Ask with other words, such as the name of a service, a component or a setting."
        )
    return "\n\n".join(f"From [{each.title}]({each.url}):\n\n{_quoted(each.text)}" for each in quotes)


def _quote(hit: Hit, url: str) -> Quote:
    text = hit.passage.text
    if len(text) > QUOTED_CHARACTERS:
        text = f"{text[:QUOTED_CHARACTERS].rpartition(chr(10))[0] or text[:QUOTED_CHARACTERS]}\n…"
    return Quote(hit.passage.title, text, url, hit.score)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _page_url(hit: Hit, addresses: Addresses) -> str:
    return f"{addresses.url_of(PORTAL)}/docs/{hit.passage.key}"


def _component_url(found: ComponentsIndex, hit: Hit, addresses: Addresses) -> str:
    component = found.by_id[hit.passage.key]
    own = f"{addresses.url_of(STORAGE)}/v2/storage/components/{quote(component.id, safe='')}"
    return component.documentation_url or own
