"""A request with an `Idempotency-Key`: sent again it gets the same response, and is carried out once.

Its changes and its response are stored in one transaction, so that a crash keeps both or neither. Responses are
encrypted, since they may contain secrets that are stored nowhere else, such as a new token.
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
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.errors import Conflict, Invalid
from penstock.foundation.stack import Stack

HEADER = "idempotency-key"
MAX_LENGTH = 255
KEPT = timedelta(days=1)

repeats = Table(
    "web_repeats",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("token_id", BigInteger, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("status", Integer),
    Column("media_type", Text),
    Column("content", LargeBinary),
    Column("created", Timestamp, nullable=False, index=True),
)


_ADD = insert(repeats)


class StoredResponse(msgspec.Struct, frozen=True):
    """The response to a request; without a status while the request is in progress."""

    fingerprint: bytes
    status: int | None
    media_type: str | None
    """None if there is no content, or in rows of earlier versions, whose content is JSON."""
    content: bytes | None


class KeyReused(Invalid):
    code = "idempotencyKey.reused"

    def __init__(self, key: str) -> None:
        super().__init__(f'The Idempotency-Key "{key}" belongs to another request. Use a new key for a new request.')


class StillInProgress(Conflict):
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
        super().__init__(f"An Idempotency-Key has 1 to {MAX_LENGTH} characters.")


class IdempotentRequest:
    """Use as a context manager around the handler; `known` is the earlier response, if there is one."""

    def __init__(self, stack: Stack, caller: AnyCaller, key: str, request: bytes) -> None:
        if not 1 <= len(key) <= MAX_LENGTH:
            raise BadKey
        self._database, self._cipher, self._caller, self._key = stack.database, stack.cipher, caller, key
        self._fingerprint = hashlib.sha256(request).digest()
        self._open = ExitStack()
        self._tx: Transaction | None = None
        self._is_begun = False
        self.known: StoredResponse | None = None

    def __enter__(self) -> IdempotentRequest:
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
        """The open transaction, if there is one: no other sees what is not committed."""
        return nullcontext(self._tx) if self._tx else None

    @property
    def is_released(self) -> bool:
        """Whether something was committed, so that only the response is missing."""
        return self._is_begun and self._tx is None

    def release(self) -> None:
        """Commit what was done so far: the response is made after a wait."""
        if self._tx is not None:
            self._commit({})

    def keep(self, status: int, media_type: str | None, content: bytes) -> None:
        """Store the response. With it the request is done."""
        sealed = self._cipher.seal(content, *self._owner())
        response = {"status": status, "media_type": media_type, "content": sealed}
        if not self._is_begun:
            self._begin(self._caller.project_id)
        if self._tx is not None:
            self._commit(response)
        else:
            with self._database.writing(self._caller.project_id) as tx:
                tx.change(update(repeats).where(*self._is_this()).values(**response))

    def _begin(self, project_id: int | None) -> Transaction:
        self._tx, self._is_begun = self._open.enter_context(self._database.writing(project_id)), True
        # The same request may have been sent twice at the same time.
        if self._find(self._tx):
            raise StillInProgress(self._key)
        return self._tx

    def _commit(self, response: dict[str, Any]) -> None:
        assert self._tx
        self._add(self._tx, response)
        self._tx = None
        self._open.close()

    def _find(self, tx: Transaction) -> StoredResponse | None:
        columns = (repeats.c[name] for name in StoredResponse.__struct_fields__)
        stored = tx.one(select(*columns).where(*self._is_this()), into=StoredResponse)
        if stored and stored.fingerprint != self._fingerprint:
            raise KeyReused(self._key)
        if stored and stored.status is None:
            raise StillInProgress(self._key)
        return self._decrypt(stored) if stored else None

    def _decrypt(self, stored: StoredResponse) -> StoredResponse:
        content = self._cipher.unseal(stored.content or b"", *self._owner())
        if content is None:
            raise ResponseLost(self._key)
        media_type = stored.media_type or ("application/json" if content else None)
        return msgspec.structs.replace(stored, media_type=media_type, content=content)

    def _owner(self) -> tuple[str, ...]:
        """The content is encrypted for this token and this key, and cannot be read with any other."""
        return "answer", str(self._caller.project_id), str(self._caller.token_id), self._key

    def _add(self, tx: Transaction, response: dict[str, Any]) -> None:
        values = {
            "project_id": self._caller.project_id,
            "token_id": self._caller.token_id,
            "key": self._key,
            "fingerprint": self._fingerprint,
            "status": None,
            "media_type": None,
            "content": None,
            "created": clock.now(),
        }
        tx.change(_ADD, [values | response])

    def _is_this(self) -> list[Any]:
        own_rows = (repeats.c.project_id == self._caller.project_id, repeats.c.token_id == self._caller.token_id)
        return [*own_rows, repeats.c.key == self._key]


def maintain(stack: Stack) -> None:
    with stack.database.writing() as tx:
        remove_old(tx, clock.now())


def remove_old(tx: Transaction, now: datetime) -> None:
    """Delete the keys that no client sends again."""
    tx.change(delete(repeats).where(repeats.c.created < now - KEPT))
