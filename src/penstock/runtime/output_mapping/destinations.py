"""Which table a file goes into, if the configuration and the manifest leave it open."""

from __future__ import annotations

from collections.abc import Callable

from penstock.runtime.written import BadOutput

_ENDINGS = (".gz", ".csv")


def find_destination(
    file_name: str, mapped: str, said: str, default_bucket: str | None, warn: Callable[[str], object]
) -> str:
    """The first of: what the configuration says, what the manifest says, the file's own name, the default bucket."""
    if mapped:
        return _checked(mapped, file_name)
    if said:
        return said
    name = table_name_of(file_name)
    if name.count(".") == 2:
        warn(f'The name of the file "{file_name}" says which table it goes into; say it in its manifest instead.')
        return name
    if not default_bucket:
        raise unresolved(file_name)
    return f"{default_bucket}.{name}"


def table_name_of(file_name: str) -> str:
    for ending in _ENDINGS:
        file_name = file_name.removesuffix(ending)
    return file_name


def unresolved(file_name: str) -> BadOutput:
    return BadOutput(f'Failed to resolve destination for output table "{file_name}".')


def _checked(destination: str, file_name: str) -> str:
    if destination.count(".") != 2 or not all(destination.split(".")):
        raise unresolved(file_name)
    return destination
