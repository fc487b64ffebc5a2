"""The base of models of HTTP APIs, and their preparation for use by many threads.

msgspec reads the types of a struct's fields when the struct is first decoded. Two threads that do so at the same time
end the process with a segmentation fault (version 0.22): one uses what the other has not yet completed. So it is done
for all structs before there is a second thread; that takes 70 ms once in a process. One that opens another stack
prepares what was imported since.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from weakref import WeakSet

import msgspec


class Wire(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of the structs on the wire: camelCase there, snake_case here."""


OURS = __name__.partition(".")[0]
_prepared = WeakSet[type[msgspec.Struct]]()


def prepare_structs() -> None:
    for struct in set(_list_below(msgspec.Struct)).difference(_prepared):
        if struct.__module__.startswith(OURS):
            with suppress(TypeError):  # of a field that JSON does not have: it is never decoded
                msgspec.json.Decoder(struct)
        _prepared.add(struct)


def _list_below(parent: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for struct in parent.__subclasses__():
        yield struct
        yield from _list_below(struct)
