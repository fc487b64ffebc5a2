"""Errors of files."""

from __future__ import annotations

from penstock.foundation.errors import Invalid, NotFound


class FileNotFound(NotFound):
    code = "storage.files.notFound"

    def __init__(self) -> None:
        super().__init__("File not found.")


class InvalidFile(Invalid):
    code = "storage.files.validation"


class FileNotUploaded(Invalid):
    code = "storage.fileNotUploaded"

    def __init__(self, file_id: int) -> None:
        super().__init__(f'The file "{file_id}" was prepared, and nothing was uploaded into it.')


class ManifestMissing(Invalid):
    code = "storage.manifestFileMissing"

    def __init__(self, file_id: int, name: str) -> None:
        super().__init__(f'The file "{file_id}" is sliced, and its manifest "{name}" was not uploaded.')


class InvalidManifest(Invalid):
    code = "storage.manifestFileInvalid"

    def __init__(self, file_id: int, reason: str) -> None:
        super().__init__(f'The manifest of the file "{file_id}" cannot be used: {reason}')


class SliceMissing(Invalid):
    code = "storage.importFileMissing"

    def __init__(self, file_id: int, name: str) -> None:
        super().__init__(f'The manifest of the file "{file_id}" lists the slice "{name}", which was not uploaded.')
