"""The input of an action: the whole configuration, and a log, which becomes part of the result."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import msgspec

from penstock.extractor.base.log import Log
from penstock.extractor.base.values import as_map


class ActionRequest(msgspec.Struct, frozen=True):
    document: dict[str, Any]
    folder: Path
    """Where a run caches responses; actions validate the setting, but do not use the cache."""
    log: Log
    """Its redactor knows all secrets, also those of a login."""

    @property
    def parameters(self) -> dict[str, Any]:
        return as_map(self.document.get("parameters"))

    @property
    def api(self) -> dict[str, Any]:
        return as_map(self.parameters.get("api"))

    @property
    def config(self) -> dict[str, Any]:
        return as_map(self.parameters.get("config"))

    @property
    def log_text(self) -> str:
        """The lines of the log so far, redacted again, because some secrets become known after they were written."""
        return self.log.redactor.clean(self.log.out.getvalue()) if isinstance(self.log.out, StringIO) else ""
