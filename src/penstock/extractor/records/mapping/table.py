"""A mapping: a table, its columns, and the tables of nested items."""

from __future__ import annotations

import msgspec

from penstock.extractor.records.layout import Layout


class Column(msgspec.Struct, frozen=True):
    """A column: the value at a path in each row, or a value of the extra columns."""

    key: str
    destination: str
    delimiter: str = "."
    is_user: bool = False
    is_json: bool = False
    """Whether lists and objects are written as JSON text."""
    is_key: bool = False


class Child(msgspec.Struct, frozen=True):
    """The items at a path in every row, which go to a separate table."""

    key: str
    table: TableMapping
    delimiter: str = "."


class Own(msgspec.Struct, frozen=True):
    """The items at a path in every row, which are rows of the same table."""

    key: str
    delimiter: str = "."


class TableMapping(msgspec.Struct, frozen=True):
    name: str
    entries: tuple[Column | Child | Own, ...]
    link: str = ""
    """The column with the key of the row around each item; empty if there is none."""
    is_link_key: bool = False

    @property
    def columns(self) -> list[Column]:
        return [entry for entry in self.entries if isinstance(entry, Column)]

    @property
    def children(self) -> list[Child]:
        return [entry for entry in self.entries if isinstance(entry, Child)]

    @property
    def key_columns(self) -> list[Column]:
        return [column for column in self.columns if column.is_key]

    @property
    def has_key(self) -> bool:
        return self.is_link_key or bool(self.key_columns)

    @property
    def linked(self) -> list[Child]:
        """Returns the children whose rows are linked by a hash, which must therefore be a column of this table, too."""
        return [] if self.has_key else [child for child in self.children if child.table.link]

    @property
    def table(self) -> Layout:
        linked = self.linked
        visible = [entry for entry in self.entries if isinstance(entry, Column) or entry in linked]
        names = [entry.destination if isinstance(entry, Column) else entry.table.name for entry in visible]
        return Layout(self.name, self.name, (*names, *self._link), self._primary_key)

    @property
    def bare_table(self) -> Layout:
        """Returns the table if it has no rows: then the original leaves out the columns of `linked`."""
        names = [column.destination for column in self.columns]
        return Layout(self.name, self.name, (*names, *self._link), self._primary_key)

    @property
    def _link(self) -> tuple[str, ...]:
        return (self.link,) if self.link else ()

    @property
    def _primary_key(self) -> tuple[str, ...]:
        names = [column.destination for column in self.key_columns]
        return (*names, *(self._link if self.is_link_key else ()))


def missing_tables(data_type: str, mapping: TableMapping) -> list[Layout]:
    """Returns all tables of a mapping that have columns; those without rows are created empty."""
    own = msgspec.structs.replace(mapping, name=data_type).bare_table
    below = [table for child in mapping.children for table in missing_tables(child.table.name, child.table)]
    return [own, *below] if own.header else below
