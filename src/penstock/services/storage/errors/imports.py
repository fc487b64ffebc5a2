"""Errors of imports."""

from __future__ import annotations

from penstock.foundation.errors import Invalid


class AliasImport(Invalid):
    code = "storage.tables.aliasImportNotAllowed"

    def __init__(self, table_id: str) -> None:
        super().__init__(f'"{table_id}" is an alias: import into the table that it shows.')


class ColumnsNotMatch(Invalid):
    code = "csvImport.columnsNotMatch"

    def __init__(self, message: str, missing: list[str] | None = None, expected: list[str] | None = None) -> None:
        super().__init__(message)
        self.details = {"missingColumns": missing, "expectedColumns": expected} if missing else None


class InvalidCsvParams(Invalid):
    code = "csvImport.invalidCsvParams"


class InvalidCsv(Invalid):
    code = "invalidCsv"
