"""Lets a model answer from the passages, and choose among the components, that retrieval has found for it.

What it says is checked: sources are those that it was given, components those that exist. Where it fails, the result
of retrieval is the answer.
"""

from __future__ import annotations

import re
from typing import Annotated

import msgspec

from penstock.foundation.stack import Stack
from penstock.services.ai import model
from penstock.services.ai.model import NotAnswered
from penstock.services.ai.models import SuggestedComponent
from penstock.services.ai.operations import retrieval
from penstock.services.ai.operations.retrieval import Quote
from penstock.services.ai.search.library import ComponentsIndex

MAX_PASSAGES = 8
MAX_CANDIDATES = 30
ANSWER_TASK = (
    "Answer the question in `question`, using only `passages`. Cite each passage that you use by its number in "
    "brackets, such as [1], after the sentence that it supports. Write no addresses. If the passages do not answer the "
    "question, say so."
)
CHOICE_TASK = (
    "Choose the components in `components` that fulfil the wish in `question`, at most ten, best first. Answer with "
    'JSON only: {"components": [{"componentId": "…", "score": 0.9}]}, where `score` is from 0 to 1 and says how well '
    "it fits. If none fits, the list is empty."
)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\(\s*<?([^)\s>]*)[^)]*\)")
_CITATION = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\](?!\()")


class _Choice(msgspec.Struct, rename="camel"):
    component_id: str
    score: Annotated[float, msgspec.Meta(ge=0, le=1)]


class _Choices(msgspec.Struct):
    components: list[_Choice]


def answer_question(stack: Stack, token: str, question: str, quotes: list[Quote]) -> tuple[str, list[str]]:
    """Return the answer with its sources. `quotes` has as many as a model gets; without one the first are quoted."""
    few = quotes[: retrieval.MAX_PASSAGES]
    answer = retrieval.answer(few)
    if not model.is_set(stack) or not quotes:
        return answer, _list_urls(few)
    passages = [
        {"number": number, "title": quote.title, "text": quote.text} for number, quote in enumerate(quotes, start=1)
    ]
    try:
        text = model.ask(stack, token, ANSWER_TASK, {"question": question, "passages": passages})
    except NotAnswered as error:
        return model.add_note(answer, error), _list_urls(few)
    return link_citations(text, quotes)


def link_citations(text: str, quotes: list[Quote]) -> tuple[str, list[str]]:
    """Link the numbers of passages to their sources, and remove other links and numbers.

    An answer without a citation has all passages as its sources."""
    urls = {str(number): quote.url for number, quote in enumerate(quotes, start=1)}
    cited: list[str] = []

    def link(match: re.Match[str]) -> str:
        numbers = [number for part in match[1].split(",") if (number := part.strip()) in urls]
        cited.extend(urls[number] for number in numbers)
        return " ".join(f"[{number}]({urls[number]})" for number in numbers)

    without_links = _LINK.sub(lambda match: match[0] if match[2] in urls.values() else match[1], text)
    linked = _CITATION.sub(link, without_links)
    return linked, list(dict.fromkeys(cited)) or _list_urls(quotes)


def suggest_components(stack: Stack, token: str, components: ComponentsIndex, wish: str) -> list[SuggestedComponent]:
    suggestions = retrieval.suggest_components(components, wish)
    if not model.is_set(stack):
        return suggestions
    candidates = list_candidates(components, wish)
    facts = {"question": wish, "components": [_describe(components, each) for each in candidates]}
    try:
        choices = read_choices(model.ask(stack, token, CHOICE_TASK, facts), candidates)
    except NotAnswered as error:
        model.log_failure(error)
        return suggestions
    return [retrieval.view_suggestion(components, *choice) for choice in choices][: retrieval.MAX_COMPONENTS]


def list_candidates(components: ComponentsIndex, wish: str) -> list[str]:
    """List what retrieval suggests, then the others as far as there is room: a model may know a word that we do not."""
    suggested = [each.component_id for each in retrieval.suggest_components(components, wish, MAX_CANDIDATES)]
    return list(dict.fromkeys([*suggested, *components.by_id]))[:MAX_CANDIDATES]


def read_choices(text: str, candidates: list[str]) -> list[tuple[str, float]]:
    """Read ids with scores, best first. Ids that the model was not given are left out; nothing else may be wrong."""
    start, end = text.find("{"), text.rfind("}")
    try:
        choices = msgspec.json.decode(text[start : end + 1].encode(), type=_Choices).components
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise NotAnswered("Its choice of components cannot be read.") from error
    scores: dict[str, float] = {}
    for each in choices:
        if each.component_id in candidates:
            scores.setdefault(each.component_id, each.score)
    if choices and not scores:
        raise NotAnswered("It chose only components that do not exist.")
    return sorted(scores.items(), key=lambda item: -item[1])


def _describe(components: ComponentsIndex, component_id: str) -> dict[str, str]:
    component = components.by_id[component_id]
    return {
        "componentId": component.id,
        "name": component.name,
        "type": component.type,
        "description": component.description,
    }


def _list_urls(quotes: list[Quote]) -> list[str]:
    return list(dict.fromkeys(quote.url for quote in quotes))
