"""A service: everything that the stack has to know of it, declared in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from penstock import __version__
from penstock.foundation.database import Transaction
from penstock.foundation.events import Reaction
from penstock.foundation.jobs.background import MakeWorker
from penstock.foundation.jobs.maintenance import Task
from penstock.foundation.secrets import Cipher
from penstock.web.auth.none import NONE
from penstock.web.auth.scheme import Scheme
from penstock.web.errors import Reply, Shape, with_text_code
from penstock.web.listing import Listing
from penstock.web.openapi import make_document
from penstock.web.routing import Route

OpensSecrets = Callable[[Transaction, Cipher], bool | None]


class Service(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    """Its host name, its path below `/_svc/`, and the beginning of the names of its tables."""
    name: str
    routes: Sequence[Route] = ()
    """None: it is used by other services only, and answers at no host."""
    auth: Scheme = NONE
    """How its requests prove who sends them. A row may name another scheme."""
    errors: Shape = with_text_code
    also_below: Mapping[str, Sequence[str]] = {}
    """Where it answers besides its own host: the paths of other services, by their ids, that begin so."""
    at_root: str = ""
    """A pattern of paths at the root of the bare address at which it answers, for clients that ask nowhere else."""
    errors_below: Mapping[str, Reply] = {}
    """Where another protocol is spoken, how errors are written: by the beginning of the path."""
    is_listed: bool = True
    """Whether the index of Storage shows it."""
    is_documented: bool = True
    """Whether the portal shows it."""

    workers: Sequence[MakeWorker] = ()
    """Loops in every worker process."""
    reactions: Sequence[Reaction] = ()
    """What it does when other services publish events."""
    maintenance: Sequence[Task] = ()
    """What it does every ten minutes, with its own tables and files only."""
    migrations: Path | None = None
    """The folder with the steps of its tables: 0001_….py, 0002_….py."""
    opens_secrets: OpensSecrets | None = None
    """Whether a key opens some secret that it stores; None if it stores none. Asked when a stack is opened."""

    def __post_init__(self) -> None:
        for route in self.routes:
            auth = route.auth or self.auth
            if route.needs not in auth.rights:
                raise ValueError(
                    f"{self.name}: {route.method} {route.path} needs {route.needs.name}, "
                    f'which callers by "{auth.name}" never have. '
                    "Name another scheme in `auth`, or another right in `needs`."
                )

    @property
    def listing(self) -> Listing:
        return Listing(
            id=self.id,
            name=self.name,
            is_listed=self.is_listed and bool(self.routes),
            is_documented=self.is_documented and bool(self.routes),
            specify=lambda server: make_document(
                self.name, __version__, server, self.routes, self.auth, self.errors, self.errors_below
            ),
        )
