"""The documentation, as pages of Markdown: the portal shows them, and answers quote them.

A wheel contains them next to the program; a checkout has them in `docs/`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_CHECKOUT = _PACKAGE.parents[1]
MAX_BYTES = 1_000_000
"""Of one page; a larger file is not documentation."""


@cache
def list_pages() -> dict[str, str]:
    """Return the pages by path, such as `services/vault.md`; empty if the program was installed without them."""
    is_checkout = (_CHECKOUT / "pyproject.toml").exists()
    folder = _CHECKOUT / "docs" if is_checkout else _PACKAGE / "docs"
    files = sorted(file for file in folder.rglob("*.md") if file.stat().st_size <= MAX_BYTES)
    return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in files}
