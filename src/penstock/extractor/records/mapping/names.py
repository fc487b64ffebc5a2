"""Names that a mapping may not give: two columns of one name, and tables whose file could not be made."""

from __future__ import annotations

from penstock.extractor.errors import UserError
from penstock.extractor.records.mapping.table import TableMapping


def check_names(mapping: TableMapping) -> None:
    """Of a table and of those below it; a table is called in its file verbatim."""
    if not mapping.name or any(sign in mapping.name for sign in "/\0"):
        shown = mapping.name.replace("\0", "\\0")
        raise UserError(
            f"The mapped table '{shown}' cannot be a file: its name is empty or holds '/' or a zero byte. "
            "Set another `destination`, or another `dataType` for the job and its mapping."
        )
    header = mapping.table.header
    for index, name in enumerate(header):
        if name in header[:index]:
            raise UserError(
                f"Two columns of the mapped table '{mapping.name}' are called '{name}'. "
                "Set another `destination` for one of them, or `parentKey.destination` for the link to the parent."
            )
    for child in mapping.children:
        check_names(child.table)
