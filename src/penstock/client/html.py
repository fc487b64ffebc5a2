"""HTML for notebooks. Every text is escaped: names and rows come from other people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def escape(text: str) -> str:
    import html  # it has a table of all entities, which only notebooks need

    return html.escape(text)


def facts_html(title: str, facts: Mapping[str, object]) -> str:
    """A title, and below it names with their values; empty ones are left out."""
    rows = [(name, value) for name, value in facts.items() if value not in (None, "")]
    return f"<p><b>{escape(title)}</b></p>{table_html((), rows)}"


def table_html(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = f"<thead><tr>{_cells('th', columns)}</tr></thead>" if columns else ""
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    return f"<table>{head}<tbody>{body}</tbody></table>"


def _cells(tag: str, values: Iterable[object]) -> str:
    return "".join(f"<{tag}>{'' if value is None else escape(str(value))}</{tag}>" for value in values)
