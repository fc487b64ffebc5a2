"""The folder that a new component begins with: a small extractor that needs no network, with a test.

The files next to this one are copied, those with a `.txt` at the end without it; `@id@` and `@name@` are replaced.
"""

from __future__ import annotations

import re
from pathlib import Path

from penstock.foundation.errors import Invalid

FILES = (
    *("component.json", "configuration_schema.json", "empty_configuration.json"),
    *("main.py.txt", "README.md", "test_main.py.txt"),
)
_ID = re.compile(r"[a-z0-9][a-z0-9-]{1,63}\.([a-z0-9][a-z0-9-]{2,63})")


class BadName(Invalid):
    def __init__(self, component_id: str) -> None:
        super().__init__(
            f"{component_id!r} is not the id of a component: it is a vendor, a dot and a name, of lower-case letters, "
            "digits and dashes, like acme.ex-weather."
        )


class FolderExists(Invalid):
    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder} exists already. Name another folder: --dir DIR")


def create_folder(component_id: str, folder: Path | None = None) -> Path:
    """Returns the new folder; without a name it is called as the component, without its vendor."""
    match = _ID.fullmatch(component_id)
    if not match:
        raise BadName(component_id)
    target = folder or Path(match[1])
    if target.exists():
        raise FolderExists(target)
    target.mkdir(parents=True)
    for name in FILES:
        text = (Path(__file__).parent / name).read_text()
        (target / name.removesuffix(".txt")).write_text(text.replace("@id@", component_id).replace("@name@", match[1]))
    return target
