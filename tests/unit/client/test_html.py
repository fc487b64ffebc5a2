"""What notebooks show of tables, jobs and the project."""

from __future__ import annotations

import io
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from penstock.client import Client, Job
from penstock.client.html import facts_html, table_html
from tests.support.api import Api


class Texts(HTMLParser):
    """The texts and the tags of a document."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: set[str] = set()
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@given(text=st.text(st.characters(exclude_characters="\r\x00", exclude_categories=["Cs"]), min_size=1))
def test_any_text_is_shown_as_text(text: str) -> None:
    shown = Texts(facts_html(text, {text: text}) + table_html([text], [[text]]))

    assert "".join(shown.texts) == text * 5
    assert shown.tags == {"p", "b", "table", "thead", "tbody", "tr", "th", "td"}


def test_a_table_shows_its_types_and_first_rows_escaped(client: Client) -> None:
    client.tables.load("in.c-html.pages", io.BytesIO(b"id,body\n1,<script>alert(1)</script>\n"), primary_key=["id"])
    rows, properties = client.table("in.c-html.pages")._repr_html_(), client.get_table("in.c-html.pages")._repr_html_()

    assert "<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>" in rows
    assert "<th>body (string)</th>" in rows
    assert "<td>body</td><td>STRING</td>" in properties
    assert "<script>" not in rows + properties


def test_the_project_shows_its_tables(client: Client) -> None:
    client.tables.load("in.c-html.listed", io.BytesIO(b"id\n1\n"))

    assert "<td>in.c-html.listed</td><td>1</td>" in client.project._repr_html_()
    assert client._repr_html_() == client.project._repr_html_()


def test_a_job_shows_its_status_and_message(pretender: Api, visitor: Client) -> None:
    job = Job(id="7", status="error", component="ex", is_finished=True, result={"message": "<b>no</b>"})

    assert "<td>Status</td><td>error</td>" in job._repr_html_()
    assert "<td>&lt;b&gt;no&lt;/b&gt;</td>" in job._repr_html_()
