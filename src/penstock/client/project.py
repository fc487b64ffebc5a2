"""The project that the token of a client belongs to."""

from __future__ import annotations

from penstock.client.html import facts_html, table_html
from penstock.client.models import Table
from penstock.client.tables import Tables
from penstock.foundation.structs import Wire


class Owner(Wire, frozen=True):
    id: int
    name: str = ""


class VerifiedToken(Wire, frozen=True):
    owner: Owner


class Project:
    def __init__(self, owner: Owner, tables: Tables) -> None:
        self.id, self.name = owner.id, owner.name
        self._tables = tables

    def __repr__(self) -> str:
        return f"Project(id={self.id}, name={self.name!r})"

    def list_tables(self) -> list[Table]:
        return self._tables.list()

    def _repr_html_(self) -> str:
        """Notebooks show this."""
        return self.to_html()

    def to_html(self) -> str:
        """The project and its tables."""
        rows = [
            (each.id, each.rows_count, ", ".join(each.primary_key), each.last_import_date)
            for each in self.list_tables()
        ]
        tables = table_html(("Table", "Rows", "Primary key", "Last load"), rows)
        return facts_html(f"Project {self.name or self.id}", {"Id": self.id, "Tables": len(rows)}) + tables
