"""A request with an `Idempotency-Key`: sent again it is answered again, and done once.

What it changes and what it is answered are one transaction, so that a crash keeps both or neither. Answers may hold
secrets that are kept nowhere else, such as a new token: they are encrypted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Column, Integer, LargeBinary, Table, Text, delete, insert, select, update

from penstock.foundation import clock
from penstock.foundation.callers import AnyCaller
from penstock.foundation.database import Moment, Transaction, metadata
from penstock.foundation.errors import Conflict, Invalid
from penstock.foundation.stack import Stack

HEADER = "idempotency-key"
LONGEST = 255
KEPT = timedelta(days=1)

repeats = Table(
    "web_repeats",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("token_id", BigInteger, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("status", Integer),
    Column("content", LargeBinary),
    Column("created", Moment, nullable=False, index=True),
)


_ADD = insert(repeats)


class StoredResponse(msgspec.Struct, frozen=True):
    """What a request was answered; nothing yet, if it goes on."""

    fingerprint: bytes
    status: int | None
    content: bytes | None


class KeyReused(Invalid):
    code = "idempotencyKey.reused"

    def __init__(self, key: str) -> None:
        super().__init__(f'The Idempotency-Key "{key}" belongs to another request. Use a new key for a new request.')


class StillGoingOn(Conflict):
    code = "idempotencyKey.inProgress"

    def __init__(self, key: str) -> None:
        super().__init__(f'The request with the Idempotency-Key "{key}" is still being done. Ask again in a moment.')


class ResponseLost(Conflict):
    code = "idempotencyKey.answerLost"

    def __init__(self, key: str) -> None:
        super().__init__(
            f'The request with the Idempotency-Key "{key}" was done, but its answer was kept under another key of this '
            "stack and cannot be read. Look at what it did."
        )


class BadKey(Invalid):
    code = "idempotencyKey.invalid"

    def __init__(self) -> None:
        super().__init__(f"An Idempotency-Key has 1 to {LONGEST} characters.")


class IdempotentRequest:
    """Use as a context manager around the handler; `known` is the earlier response, if there is one."""

    def __init__(self, stack: Stack, caller: AnyCaller, key: str, request: bytes, *, is_new: bool = False) -> None:
        """`is_new` is said of a key that was made just now, so that nobody has to look for it."""
        if not 1 <= len(key) <= LONGEST:
            raise BadKey
        self._database, self._cipher, self._caller, self._key = stack.database, stack.cipher, caller, key
        self._fingerprint = hashlib.sha256(request).digest()
        self._open = ExitStack()
        self._tx: Transaction | None = None
        self._is_begun, self._is_new = False, is_new
        self.known: StoredResponse | None = None

    def __enter__(self) -> IdempotentRequest:
        if not self._is_new:
            with self._database.reading() as tx:
                self.known = self._find(tx)
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.__exit__(*error)

    @contextmanager
    def writing(self, project_id: int | None) -> Generator[Transaction]:
        """The transaction of this request. It ends with the response."""
        if self._is_begun and self._tx is None:
            with self._database.writing(project_id) as tx:
                yield tx
            return
        yield self._tx or self._begin(project_id)

    def reading(self) -> AbstractContextManager[Transaction] | None:
        """What is written and not committed is seen by this transaction alone."""
        return nullcontext(self._tx) if self._tx else None

    @property
    def is_released(self) -> bool:
        """Whether something was committed, so that only the response is missing."""
        return self._is_begun and self._tx is None

    def release(self) -> None:
        """Commit what was done so far: the response has to wait for others."""
        if self._tx is not None:
            self._commit(None, None)

    def keep(self, status: int, content: bytes) -> None:
        """The response. With it the request is done."""
        sealed = self._cipher.seal(content, *self._words())
        if not self._is_begun:
            self._begin(self._caller.project_id)
        if self._tx is not None:
            self._commit(status, sealed)
        else:
            with self._database.writing(self._caller.project_id) as tx:
                tx.change(update(repeats).where(*self._is_this()).values(status=status, content=sealed))

    def _begin(self, project_id: int | None) -> Transaction:
        self._tx, self._is_begun = self._open.enter_context(self._database.writing(project_id)), True
        # Somebody may have sent it twice at the same time.
        if not self._is_new and self._find(self._tx):
            raise StillGoingOn(self._key)
        return self._tx

    def _commit(self, status: int | None, content: bytes | None) -> None:
        assert self._tx
        self._add(self._tx, status, content)
        self._tx = None
        self._open.close()

    def _find(self, tx: Transaction) -> StoredResponse | None:
        statement = select(repeats.c.fingerprint, repeats.c.status, repeats.c.content).where(*self._is_this())
        kept = tx.one(statement, into=StoredResponse)
        if kept and kept.fingerprint != self._fingerprint:
            raise KeyReused(self._key)
        if kept and kept.status is None:
            raise StillGoingOn(self._key)
        return self._opened(kept) if kept else None

    def _opened(self, kept: StoredResponse) -> StoredResponse:
        content = self._cipher.unseal(kept.content or b"", *self._words())
        if content is None:
            raise ResponseLost(self._key)
        return msgspec.structs.replace(kept, content=content)

    def _words(self) -> tuple[str, ...]:
        """Whose answer it is: it opens for nobody else."""
        return "answer", str(self._caller.project_id), str(self._caller.token_id), self._key

    def _add(self, tx: Transaction, status: int | None, content: bytes | None) -> None:
        values = {
            "project_id": self._caller.project_id,
            "token_id": self._caller.token_id,
            "key": self._key,
            "fingerprint": self._fingerprint,
            "status": status,
            "content": content,
            "created": clock.now(),
        }
        tx.change(_ADD, [values])

    def _is_this(self) -> list[Any]:
        mine = (repeats.c.project_id == self._caller.project_id, repeats.c.token_id == self._caller.token_id)
        return [*mine, repeats.c.key == self._key]


def maintain(stack: Stack) -> None:
    with stack.database.writing() as tx:
        remove_old(tx, clock.now())


def remove_old(tx: Transaction, now: datetime) -> None:
    """Keys that no client sends again."""
    tx.change(delete(repeats).where(repeats.c.created < now - KEPT))
