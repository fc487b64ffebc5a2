"""What is searched: a passage for each component, and one for each section of the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from penstock.components.component import Component
from penstock.services.ai.search.index import Passage
from penstock.services.ai.search.vocabulary import topics

COMPONENT_CHARACTERS = 4_000
"""Of a long documentation the beginning counts: the rest lists settings, whose words say little of what it is for."""
SECTION_CHARACTERS = 6_000
WORDS_OF_TYPES = {
    "extractor": "extract read fetch download ingest source",
    "writer": "write send upload export destination",
    "transformation": "transform compute query",
}
"""With which users ask for a component of a type, whatever its own texts say."""
NOT_FOR_USERS = ("architecture.md", "contributing.md", "decisions/", "benchmarks.md")
"""How the program is made, and why: for those who change it, not for those who use it."""
WEIGHTS_OF_HEADINGS = {"Routes": 0.7, "Errors": 0.85, "Differences from the original": 0.7, "Limits": 0.9}
"""Tables and lists with words of every kind."""
WEIGHTS_OF_COMPONENTS = {
    "keboola.snowflake-transformation": 0.95,
    "keboola.orchestrator": 0.95,
    "keboola.runner-config-test": 0.7,
    "keboola.mcp-server-tool": 0.8,
    "keboola.keboola-as-code": 0.8,
}
"""Another component is the first choice, or only a program uses it. A wish that names one still finds it first."""
WEIGHTS_OF_PAGES = {
    "extractor/differences.md": 0.6,
    "reliability.md": 0.8,
    "programs.md": 0.8,
    "extractor/legacy.md": 0.8,
}

_HEADING = re.compile(r"^(#{1,3}) +(.+?) *$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


def component_passage(component: Component) -> Passage:
    words = (component.id.replace(".", " ").replace("-", " "), component.type, WORDS_OF_TYPES.get(component.type, ""))
    texts = (component.description, component.long_description, component.documentation)
    return Passage(
        key=component.id,
        title=component.name,
        text="\n\n".join(filter(None, texts))[:COMPONENT_CHARACTERS],
        keywords=" ".join(
            (*words, *component.categories, component.description, topics("component").get(component.id, ""))
        ),
        weight=WEIGHTS_OF_COMPONENTS.get(component.id, 1.0),
    )


def page_passages(pages: Mapping[str, str]) -> Iterator[Passage]:
    """The key is the address of the section below that of the documentation."""
    for path, text in pages.items():
        if not path.lower().startswith(NOT_FOR_USERS):
            yield from _split_page(path, text)


def _split_page(path: str, text: str) -> Iterator[Passage]:
    # Lines of examples that begin with `#` are comments, not headings.
    plain = _FENCE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    headings = list(_HEADING.finditer(plain))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    page = headings[0][2] if headings else path
    for heading, end in zip(headings, ends, strict=True):
        title = heading[2]
        is_first = heading is headings[0]
        key = path if is_first else f"{path}#{make_anchor(title)}"
        yield Passage(
            key=key,
            title=title if is_first else f"{page}: {title}",
            text=text[heading.end() : end].strip()[:SECTION_CHARACTERS],
            keywords=topics("page").get(key, ""),
            weight=WEIGHTS_OF_PAGES.get(path, 1.0) * WEIGHTS_OF_HEADINGS.get(title, 1.0),
        )


def make_anchor(title: str) -> str:
    return _NOT_IN_ANCHORS.sub("", title.lower()).replace(" ", "-")
