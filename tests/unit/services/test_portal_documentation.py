"""Pages of the documentation in the portal: HTML for people, Markdown for programs, and nothing of a page is run."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from posixpath import dirname, normpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.portal.documentation import render_page
from penstock.web.pages import list_pages
from tests.support.http import Response
from tests.support.stacks import ServicesOnly

BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "p", "a", "em", "strong", "code", "pre", "br", "hr"),
    *("ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "th", "td", "img"),
    *(f"h{level}" for level in range(1, 7)),
}
ATTRIBUTES = {"lang", "charset", "name", "content", "href", "id", "class", "style", "start", "src", "alt", "title"}


class Seen(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.links, self.ids = set[str](), set[str](), list[str](), list[str]()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name in ("href", "src"):
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")


def get(services: ServicesOnly, page: str, accept: str) -> Response:
    return services.service("portal", token="").send("GET", f"/docs/{page}", headers={"Accept": accept})


def test_a_browser_gets_a_page_of_html(shared: ServicesOnly) -> None:
    response = get(shared, "services/vault.md", BROWSER)

    assert (response.status, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert response.headers["vary"].lower().startswith("accept")
    assert '<h1 id="vault">Vault</h1>' in response.text
    assert "<table>" in response.text
    assert '<h2 id="store-a-secret">' in response.text
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


@pytest.mark.parametrize("accept", ["*/*", "text/plain", "text/markdown"])
def test_a_program_gets_markdown(shared: ServicesOnly, accept: str) -> None:
    response = get(shared, "services/vault.md", accept)

    assert (response.status, response.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert response.text == list_pages()["services/vault.md"]


@pytest.mark.parametrize("page", ["no-such-page.md", "../README.md", "services", "<script>.md"])
def test_other_pages_are_not_there(shared: ServicesOnly, page: str) -> None:
    assert get(shared, page, BROWSER).status == 404


def test_links_between_pages_lead_to_headings() -> None:
    seen = {name: Seen(render_page(text)) for name, text in list_pages().items()}
    for name, page in seen.items():
        for link in page.links:
            path, _, anchor = link.partition("#")
            target = normpath(f"{dirname(name)}/{path}" if dirname(name) else path) if path else name
            if target in seen and anchor:
                assert anchor in seen[target].ids, f"{name}: {link}"


def test_headings_of_the_same_text_have_different_ids() -> None:
    assert Seen(render_page("# A b\n\n## A b\n\n## A `b`!")).ids == ["a-b", "a-b-1", "a-b-2"]


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt&colon;alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x]: vbscript:a\n\n[x]",
        "<javascript:alert(1)>",
        "# </title><script>alert(1)</script>",
        "```<script>\n</code><script>alert(1)</script>\n```",
    ],
)
def test_markup_in_a_page_is_text(text: str) -> None:
    check_safe(text)


@given(st.text(st.sampled_from("<>&\"'`[]()!:#/\\\n |-*_ascriptjvhef1=x")))
def test_nothing_in_a_page_becomes_markup_of_its_own(text: str) -> None:
    check_safe(text)


def check_safe(text: str) -> None:
    seen = Seen(render_page(text))

    assert seen.tags <= TAGS
    assert seen.attributes <= ATTRIBUTES
    assert not [link for link in seen.links if re.match(r"\s*(javascript|vbscript|data|file):", link, re.IGNORECASE)]
