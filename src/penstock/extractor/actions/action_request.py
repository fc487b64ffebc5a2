"""What an action is given: the whole configuration, and a log of its own that becomes part of the response."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import msgspec

from penstock.extractor.log import Log
from penstock.extractor.values import as_map


class Asked(msgspec.Struct, frozen=True):
    document: dict[str, Any]
    folder: Path
    """Where a run keeps answers that the configuration wants cached; actions read the setting, not the responses."""
    log: Log
    """Knows every secret, also those that a login brings."""

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
    def told(self) -> str:
        """The lines of the log so far, without secrets that became known only after they were written."""
        return self.log.redactor.clean(self.log.out.getvalue()) if isinstance(self.log.out, StringIO) else ""
