"""A file that is stored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec


class OutputFile(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    path: Path
    """Of a file, or of a folder of slices."""
    tags: Sequence[str] = ()
    is_public: bool = False
    is_permanent: bool = False
    has_run_tags: bool = True
    """Whether it also gets tags that say which job wrote it, and the branch's prefix on all of them."""
