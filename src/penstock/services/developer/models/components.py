"""An added component as stored."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from penstock.components.component import Component
from penstock.components.manifest import Manifest


class AddedComponent(msgspec.Struct, frozen=True):
    id: str
    definition: dict[str, Any]
    """The contents of its manifest when it was added."""
    folder: str
    added: datetime

    def to_component(self) -> Component:
        return msgspec.convert(self.definition, Manifest).to_component(Path(self.folder))
