"""Writes the OpenAPI document of every service to a folder: the types of the console's client are made from them."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from penstock.app import list_services


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for service in list_services():
        if service.listing.is_documented:
            document = service.listing.specify("http://stack.invalid")
            (folder / f"{service.id}.json").write_bytes(msgspec.json.encode(document))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
