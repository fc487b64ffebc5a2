"""Suggestions of components, and passages of texts that answer a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote

import msgspec

from penstock.foundation.database import Transaction
from penstock.foundation.stacks import PORTAL, STORAGE
from penstock.services.ai.models import SuggestedComponent
from penstock.services.ai.search.direction import guess_type
from penstock.services.ai.search.index import Hit
from penstock.services.ai.search.library import LIBRARY, ComponentsIndex, documentation
from penstock.services.developer import interface as developer
from penstock.web.addresses import Addresses

MAX_COMPONENTS = 10
MAX_PASSAGES = 4
MAX_PASSAGES_OF_A_PAGE = 2
MAX_QUOTED_CHARACTERS = 1_500
MIN_SCORE = 0.05
"""Below it a text shares some frequent word with the question, and nothing else."""
WEIGHT_OF_COMPONENTS = 0.75
"""In answers: a page says how something is done, a component only that it is."""
WEIGHT_OF_OTHER_TYPES = 0.7
"""For components of another type than the one that the wish implies."""


class Quote(msgspec.Struct, frozen=True):
    """A passage, and where it is from."""

    title: str
    text: str
    url: str
    score: float


def find_components(tx: Transaction) -> ComponentsIndex:
    return LIBRARY.components(developer.components_version(tx), lambda: developer.list_components(tx))


def suggest_components(
    components: ComponentsIndex, question: str, most: int = MAX_COMPONENTS
) -> list[SuggestedComponent]:
    """List the best first; each with a score that can be compared between questions."""
    index = components.index
    expected_type = guess_type(question, index.knows)
    suggestions = [
        view_suggestion(components, hit.passage.key, _weigh(components, hit, expected_type))
        for hit in index.find(question, len(components.by_id))
    ]
    best = sorted(suggestions, key=lambda each: -each.score)[:most]
    return [each for each in best if each.score >= MIN_SCORE]


def view_suggestion(components: ComponentsIndex, component_id: str, score: float) -> SuggestedComponent:
    source = "added" if components.by_id[component_id].folder else "bundled"
    return SuggestedComponent(component_id=component_id, score=round(score, 4), source=source)


def find_quotes(
    components: ComponentsIndex, question: str, addresses: Addresses, most: int = MAX_PASSAGES
) -> list[Quote]:
    """List the best of the documentation and of components first."""
    pages = [_quote(hit, _page_url(hit, addresses)) for hit in _find_sections(question, most)]
    texts = [
        _quote(hit, _component_url(components, hit, addresses), WEIGHT_OF_COMPONENTS)
        for hit in components.index.find(question, most)
    ]
    best = sorted([*pages, *texts], key=lambda each: -each.score)[:most]
    return [each for each in best if each.score >= MIN_SCORE]


def quote_page(key: str, addresses: Addresses) -> list[Quote]:
    """Quote a page or a section by its path; nothing if there is none."""
    passage = documentation().get(key)
    return [_quote(Hit(passage, 1.0), f"{addresses.url_of(PORTAL)}/docs/{key}")] if passage else []


def answer(quotes: list[Quote]) -> str:
    """Write the passages as Markdown, each with its source."""
    if not quotes:
        return (
            "Neither the documentation nor the texts of the components say anything about this. "
            "Ask with other words, such as the name of a service, a component or a setting."
        )
    return "\n\n".join(f"From [{each.title}]({each.url}):\n\n{_quoted(each.text)}" for each in quotes)


def _weigh(components: ComponentsIndex, hit: Hit, expected_type: str | None) -> float:
    is_other = expected_type and components.by_id[hit.passage.key].type != expected_type
    return hit.score * WEIGHT_OF_OTHER_TYPES if is_other else hit.score


def _find_sections(question: str, most: int) -> Iterator[Hit]:
    """Find sections of different pages, so that one page with many sections does not hide the others."""
    seen = Counter[str]()
    for hit in documentation().find(question, most * 5):
        page = hit.passage.key.partition("#")[0]
        seen[page] += 1
        if seen[page] <= MAX_PASSAGES_OF_A_PAGE:
            yield hit


def _quote(hit: Hit, url: str, weight: float = 1.0) -> Quote:
    text = hit.passage.text
    if len(text) > MAX_QUOTED_CHARACTERS:
        text = f"{text[:MAX_QUOTED_CHARACTERS].rpartition(chr(10))[0] or text[:MAX_QUOTED_CHARACTERS]}\n…"
    return Quote(hit.passage.title, text, url, round(hit.score * weight, 4))


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _page_url(hit: Hit, addresses: Addresses) -> str:
    return f"{addresses.url_of(PORTAL)}/docs/{hit.passage.key}"


def _component_url(components: ComponentsIndex, hit: Hit, addresses: Addresses) -> str:
    component = components.by_id[hit.passage.key]
    own = f"{addresses.url_of(STORAGE)}/v2/storage/components/{quote(component.id, safe='')}"
    return component.documentation_url or own
