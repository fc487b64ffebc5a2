"""Shared by the programs of components: a data folder, a log without secrets, and exit codes.

Exit 0 is success, 1 an error of the user with a message on standard error, 2 an internal failure.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log, printable
from penstock.foundation.constraints import explain_error
from penstock.foundation.errors import AppError
from penstock.foundation.outbound import OutboundError
from penstock.foundation.redaction import Redactor

DEFAULT_FOLDER = "/data"
MANIFEST = ".manifest"

T = TypeVar("T")


class Data(msgspec.Struct, frozen=True, kw_only=True):
    """The data folder of a program."""

    folder: Path
    document: dict[str, Any]
    """The contents of `config.json`."""
    log: Log

    @property
    def parameters(self) -> dict[str, Any]:
        return _as_object(self.document.get("parameters"))

    @property
    def output_tables(self) -> list[dict[str, Any]]:
        """Returns the items of `storage.output.tables`."""
        output = _as_object(_as_object(self.document.get("storage")).get("output"))
        items = output.get("tables")
        return [_as_object(item) for item in cast(list[Any], items)] if isinstance(items, list) else []

    def list_inputs(self) -> list[Path]:
        """Returns the files of `in/tables`, by name, without their manifests."""
        folder = self.folder / "in" / "tables"
        files = sorted(folder.iterdir()) if folder.is_dir() else []
        return [file for file in files if file.is_file() and not file.name.endswith(MANIFEST)]

    def read_parameters(self, kind: type[T]) -> T:
        """Returns the parameters, typed; raises UserError that names the invalid field."""
        try:
            return msgspec.convert(self.parameters, kind, strict=False)
        except (msgspec.ValidationError, RecursionError) as error:
            raise UserError(f"Invalid configuration: {explain_error(error, 'parameters')}") from error


def run_program(work: Callable[[Data], None]) -> int:
    folder = Path(os.environ.get("KBC_DATADIR") or DEFAULT_FOLDER).absolute()
    try:
        document = msgspec.json.decode((folder / "config.json").read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return _fail(Redactor(), f"config.json cannot be read: {error}", 2)
    redactor = Redactor.of(document)
    stdout: Any = sys.stdout
    stdout.reconfigure(errors="backslashreplace")  # values may contain characters that the stream's encoding lacks
    return _attempt(work, Data(folder=folder, document=document, log=Log(sys.stdout, redactor)))


def _attempt(work: Callable[[Data], None], data: Data) -> int:
    try:
        work(data)
    except (UserError, AppError, OutboundError) as error:
        return _fail(data.log.redactor, str(error), 1)
    except OSError as error:
        return _fail(data.log.redactor, f"A file could not be read or written: {error}", 2)
    except Exception as error:
        return _fail(data.log.redactor, f"The component itself failed: {type(error).__name__}: {error}", 2)
    return 0


def _fail(redactor: Redactor, message: str, code: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(printable(redactor.clean(message)) + "\n")
    return code


def _as_object(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
