"""Prompts with a name: what a model is asked to do, and what is looked up for it."""

from __future__ import annotations

import msgspec

from penstock.services.ai.errors import UnknownTemplate


class Template(msgspec.Struct, frozen=True):
    task: str
    """What the model does with the query and the passages."""
    words: str = ""
    """Looked for besides the query."""


TEMPLATES = {
    "answer-question": Template("Answer the question of `query`, using only the passages. Name the passages you used."),
    "explain-error": Template(
        "Explain the error message in `query`: what it means, and what to do, step by step, using the passages.",
        "error",
    ),
    "suggest-component": Template("Suggest which of the components in the passages fit the wish in `query`, and why."),
    "write-configuration": Template(
        "Propose a configuration for the wish in `query`, as JSON, following the passages. Write `#` keys with the "
        'value "[enter it]" for secrets.',
        "configuration example",
    ),
}


def get_template(template_id: str) -> Template:
    if template_id not in TEMPLATES:
        raise UnknownTemplate(template_id, TEMPLATES)
    return TEMPLATES[template_id]
