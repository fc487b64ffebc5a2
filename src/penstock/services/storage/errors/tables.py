"""Errors of tables."""

from __future__ import annotations

from penstock.foundation.errors import AppError, Conflict, Damaged, Invalid, NotFound


class TableNotFound(NotFound):
    code = "storage.tables.notFound"

    def __init__(self, bucket_id: str, name: str, project_id: int) -> None:
        super().__init__(f'The table "{name}" was not found in the bucket "{bucket_id}" in the project "{project_id}"')


class ProfileNotFound(NotFound):
    code = "storage.tables.profileNotFound"

    def __init__(self, table_id: str) -> None:
        super().__init__(f'The table "{table_id}" has no profile yet. Compute one: POST tables/{table_id}/profile.')


class InvalidTable(Invalid):
    code = "storage.tables.validation"


class InvalidColumn(Invalid):
    code = "storage.tables.validation.invalidColumnName"


class InvalidPreviewFormat(Invalid):
    code = "storage.tables.validation.invalidFormat"

    def __init__(self, value: str) -> None:
        super().__init__(f'The format "{value}" is not supported; use "rfc" or "json".')


class InvalidDefault(Invalid):
    code = "storage.tables.invalidDefaultValueForType"

    def __init__(self, column: str, kind: str, default: str) -> None:
        super().__init__(f'The column "{column}" cannot have the default "{default}", which is not a valid {kind}.')


class InvalidKey(Invalid):
    code = "storage.validation.primaryKey"


class NoSuchColumns(Invalid):
    code = "storage.tables.nonExistingColumns"

    def __init__(self, names: list[str], table_id: str) -> None:
        super().__init__(f'The table "{table_id}" has no columns "{", ".join(names)}".')


class NoSuchColumn(Invalid):
    code = "storage.tables.validation.columnNotExists"

    def __init__(self, name: str, table_id: str) -> None:
        super().__init__(f'The table "{table_id}" has no column "{name}".')


class TableHasAliases(Invalid):
    code = "tables.cannotDeletedTableWithAliases"

    def __init__(self, table_id: str) -> None:
        super().__init__(f'The table "{table_id}" has aliases. Delete them first, or delete it with force.')


class TableNameTaken(Invalid):
    code = "storage.buckets.tableAlreadyExists"

    def __init__(self, name: str, display_name: str) -> None:
        super().__init__(f'The table "{name}" in the bucket already has the same display name "{display_name}".')


class TableExists(Invalid):
    code = "storage.tables.validation"

    def __init__(self, name: str, bucket_id: str) -> None:
        super().__init__(f'The table "{name}" already exists in the bucket "{bucket_id}".')


class NoColumns(Invalid):
    code = "storage.tables.validation.noColumns"

    def __init__(self) -> None:
        super().__init__("The file is empty: it needs a header with the names of its columns.")


class InvalidKeyColumns(Invalid):
    code = "storage.tables.validation.invalidPrimaryKeyColumns"

    def __init__(self, names: list[str]) -> None:
        super().__init__(f"The primary key has columns that the table does not have: {', '.join(names)}.")


class TooManyColumns(Invalid):
    code = "storage.maxNumberOfColumnsExceed"

    def __init__(self, limit: int, columns: int, table_id: str = "") -> None:
        name = f'The table "{table_id}"' if table_id else "The table"
        super().__init__(
            f"{name} would have {columns:,} columns, and a table has at most {limit:,}. Load fewer of them; records "
            "whose keys are values, such as ids or dates, are best kept as JSON text in one column."
        )


class NotOneFile(Conflict):
    code = "storage.tables.notOneFile"

    def __init__(self, table_id: str) -> None:
        super().__init__(
            f"The rows of the table {table_id} are not stored as one file. Export them instead: POST …/export-async."
        )


class FileReplaced(AppError):
    status, code = 412, "storage.tables.fileReplaced"

    def __init__(self, table_id: str) -> None:
        super().__init__(f"The table {table_id} has changed since the file of the header If-Match.")


class RangeTooFar(AppError):
    status, code = 416, "storage.tables.rangeNotSatisfiable"

    def __init__(self, size: int) -> None:
        super().__init__(f"The range begins after the end of the file, which has {size} bytes.")


class SwapUndone(AppError):
    status, code = 500, "storage.tables.swapUndone"

    def __init__(self, table_id: str) -> None:
        super().__init__(f'The swap was interrupted, and the rows of the table "{table_id}" were restored. Repeat it.')


class SwapInterrupted(AppError):
    status, code = 500, "storage.tables.swapInterrupted"

    def __init__(self, table_id: str, target_id: str, snapshot_id: int) -> None:
        super().__init__(
            f'The swap stopped halfway: the table "{table_id}" has the rows of "{target_id}". Its own are kept as the '
            f"snapshot {snapshot_id}: create a table from it with tables-async and snapshotId."
        )


class TableLost(Damaged):
    """The database has a row for the table, but its catalog in the lake does not have the table."""

    code = "storage.tables.lost"

    def __init__(self, table_id: str) -> None:
        super().__init__(
            f'The rows of the table "{table_id}" are missing from the stack\'s data folder. Nothing was changed. The '
            "operator finds what is wrong with `penstock doctor`, and gets the rows back from a backup."
        )


class TableDamaged(Damaged):
    code = "storage.tables.damaged"

    def __init__(self, table_id: str) -> None:
        super().__init__(
            f'A file of the table "{table_id}" is damaged or missing, so its rows cannot be read. Nothing was changed. '
            "The operator finds which file it is with `penstock doctor`, and gets it back from a backup."
        )


class SnapshotLost(Damaged):
    code = "storage.tables.lost"

    def __init__(self, snapshot_id: int) -> None:
        super().__init__(
            f'The rows of the snapshot "{snapshot_id}" are missing from the stack\'s data folder, or damaged. Nothing '
            "was changed. The operator finds what is wrong with `penstock doctor`, and gets them back from a backup."
        )


class ColumnExists(Invalid):
    code = "storage.tables.columnAlreadyExists"

    def __init__(self, name: str) -> None:
        super().__init__(f'The table already has a column "{name}".')


class KeyColumn(Invalid):
    code = "storage.tables.cannotDeletePrimaryKeyColumn"

    def __init__(self, name: str) -> None:
        super().__init__(f'The column "{name}" is part of the primary key. Remove the key first.')


class ReferencedColumn(Invalid):
    code = "storage.tables.cannotDeleteReferencedColumn"

    def __init__(self, name: str, alias_id: str) -> None:
        super().__init__(f'The column "{name}" is used by the alias "{alias_id}". Delete that first, or use force.')


class DuplicateKeys(Invalid):
    code = "storage.tables.primaryKeyDuplicateValues"

    def __init__(self, columns: list[str]) -> None:
        super().__init__(f'The columns "{", ".join(columns)}" hold duplicate values, so they cannot be a primary key.')


class UnintendedTruncation(Invalid):
    code = "storage.tables.validation.unintendedTruncation"

    def __init__(self) -> None:
        super().__init__("No filter is given, which would delete all rows. Set `allowTruncate` if you want that.")


class SnapshotNotFound(NotFound):
    def __init__(self, snapshot_id: str) -> None:
        super().__init__(f'Snapshot "{snapshot_id}" not found')


class TimeTravelInvalid(Invalid):
    code = "storage.timetravel.invalid"


class ColumnNotFound(NotFound):
    def __init__(self, column: str, table_id: str) -> None:
        super().__init__(f'The column "{column}" was not found in the table "{table_id}"')


class InvalidColumns(InvalidColumn):
    """Several invalid column names, each with its reason."""

    status = 422

    def __init__(self, faults: dict[int, str]) -> None:
        named = [{"key": f"columnNames[{index}]", "message": fault} for index, fault in faults.items()]
        super().__init__("\n".join(["Invalid request:", *(f' - {each["key"]}: "{each["message"]}"' for each in named)]))
        self.details = named
