"""Encrypts and decrypts documents with the keys of one stack, and signs."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Any

import msgspec

from penstock.foundation.secrets import envelope
from penstock.foundation.secrets.bindings import NO_BINDINGS, Bindings, Recorded, digest_of
from penstock.foundation.secrets.documents import is_cipher, is_placeholder, kind_of, walk
from penstock.foundation.secrets.envelope import CannotOpen, Envelope
from penstock.foundation.secrets.keys import KeyRing, RootKey
from penstock.foundation.secrets.scopes import (
    OF_PROJECT,
    Label,
    Scope,
    UnreadableSecret,
    find_binding,
    find_inner_binding,
    find_problem,
    prefix_of,
)

_OUTBOUND, _MARK_BYTES = "outbound", 12


class Cipher:
    """Encrypts with the newest key of a stack, and decrypts with each."""

    def __init__(self, key: bytes | KeyRing) -> None:
        self.ring = key if isinstance(key, KeyRing) else KeyRing([key])

    @property
    def fingerprint(self) -> int:
        """Identifies the newest key without revealing it."""
        return self.ring.current.fingerprint

    def make_mark(self) -> str:
        """A new value each time, by which all processes of this stack recognize its own requests, also after a
        rotation. To others, two of them have nothing in common."""
        number = secrets.token_urlsafe(_MARK_BYTES)
        return f"{number}.{_sign(self.ring.first, (_OUTBOUND, number))}"

    def is_own_mark(self, text: str) -> bool:
        number, _, signature = text.partition(".")
        return bool(signature) and self.verifies(signature, _OUTBOUND, number)

    def sign(self, *words: str) -> str:
        """A URL-safe signature of these words in this order."""
        return _sign(self.ring.current, words)

    def verifies(self, signature: str, *words: str) -> bool:
        """Whether sign() made it of these words, with any key of the stack."""
        made = [_sign(key, words) for key in self.ring.keys]
        return any(hmac.compare_digest(signature.encode(), each.encode()) for each in made)

    def derive_keys(self, *words: str) -> list[bytes]:
        """Keys for what these words name, one for each key of the stack: the first one signs, all of them verify."""
        return [
            hmac.digest(key.signing, msgspec.json.encode(("key", *words)), hashlib.sha256) for key in self.ring.keys
        ]

    def seal(self, content: bytes, *words: str) -> bytes:
        """Encrypt bytes; decrypting requires the same words in the same order."""
        return envelope.seal(self.ring, content, msgspec.json.encode(words))

    def unseal(self, sealed: bytes, *words: str) -> bytes | None:
        """Decrypt what seal() encrypted with these words; None if it was not, or with another key."""
        expected = msgspec.json.encode(words)
        try:
            found = envelope.unwrap(self.ring, sealed)
            return found.open(expected) if found.label in (expected, b"") else None
        except CannotOpen:
            return None

    def encrypt(self, document: Any, scope: Scope, bindings: Bindings = NO_BINDINGS) -> Any:
        """The document with every scalar under a `#` key encrypted, except `{{ placeholders }}`.

        A cipher that is not bound becomes bound; so does one whose hosts changed to ones that the project trusts, which
        are only then looked up. Where bindings can be recorded, all ciphers are kept as they are; they need only the
        newest key from then on.
        """
        recorded, new = _find_recorded(document, bindings), dict[str, Label]()
        encrypted = walk(document, lambda value, _path: self._encrypt(value, scope, bindings, recorded, new))
        if bindings.add and new:
            bindings.add(new)
        return encrypted

    def encrypt_text(self, value: str, scope: Scope) -> str:
        """The cipher of a text; one that is already a cipher is kept, and needs only the newest key from then on."""
        return self._keep(value, scope) if is_cipher(value) else self._seal(value, scope.label())

    def encrypt_unbound(self, document: Any, label: Label) -> Any:
        """The document as encrypt() returns it, for a label without hosts. Ciphers are kept."""
        return walk(document, lambda value, _path: value if _is_kept(value) else self._seal(value, label))

    def encrypt_text_unbound(self, value: str, label: Label) -> str:
        return value if _is_kept(value) else self._seal(value, label)

    def decrypt(
        self,
        document: Any,
        scope: Scope,
        path: str = "",
        earlier: Scope | None = None,
        bindings: Bindings = NO_BINDINGS,
    ) -> Any:
        """The document with every cipher under a `#` key decrypted, including those of the whole project.

        `path` is the document's position in a larger one, for error messages. `earlier` is the scope that such
        documents were encrypted for in earlier versions: ciphers of either are decrypted. A document that may hold
        ciphers of clients needs `bindings`: without them, a cipher of the whole project is decrypted whatever its
        bindings are.
        """
        recorded = _find_recorded(document, bindings)

        def change(value: Any, at: str) -> Any:
            try:
                return self._decrypt(value, scope, at, recorded)
            except UnreadableSecret as error:
                if not earlier:
                    raise
                try:
                    return self._decrypt(value, earlier, at, recorded)
                except UnreadableSecret:
                    raise error from None

        return walk(document, change, path)

    def opens(self, document: Any, scope: Scope, bindings: Bindings = NO_BINDINGS) -> bool:
        try:
            self.decrypt(document, scope, bindings=bindings)
        except UnreadableSecret:
            return False
        return True

    def _encrypt(self, value: Any, scope: Scope, bindings: Bindings, recorded: Recorded, new: dict[str, Label]) -> Any:
        """`new` gets the binding that is to be recorded."""
        if not _is_kept(value):
            return self._seal(value, scope.label())
        try:
            found = self._unwrap(value)
            choose = find_binding if bindings.add else find_inner_binding
            labels = recorded.get(found.digest, [])
            label = choose(found.label, labels, scope, bindings.trusted) if found.label else None
            plain = found.open(scope) if label else None  # raises if it was altered: then there is nothing to bind
            if label and not bindings.add:
                return self._seal(plain, label)
            new.update({found.digest: label} if label else {})
            return self._wrap_anew(value, found, scope)
        except CannotOpen:
            return value

    def _keep(self, value: str, scope: Scope) -> str:
        try:
            return self._wrap_anew(value, self._unwrap(value), scope)
        except CannotOpen:
            return value

    def _wrap_anew(self, value: str, sealed: _Found, scope: Scope) -> str:
        """The same cipher, wrapped by the newest key: a client may have read it before a rotation."""
        known = sealed.envelope
        if known.root_key_id == self.ring.current.id:
            return value
        if known.root_key_id == envelope.UNMARKED:
            sealed.open(scope)  # which proves that it is one of this stack
        return prefix_of(sealed.kind) + base64.b64encode(envelope.wrap_anew(self.ring, known)).decode()

    def _seal(self, value: Any, label: Label) -> str:
        plain = msgspec.json.encode("" if value is None else value)
        sealed = envelope.seal(self.ring, plain, msgspec.json.encode(label))
        return prefix_of(label.kind) + base64.b64encode(sealed).decode()

    def _decrypt(self, value: Any, scope: Scope, path: str, recorded: Recorded) -> Any:
        if not isinstance(value, str) or not is_cipher(value):
            return value
        try:
            found = self._unwrap(value)
            labels = recorded.get(found.digest, [])
            if found.label and (problem := find_problem(found.label, labels, scope)):
                raise UnreadableSecret(path, problem)
            return found.open(scope)
        except CannotOpen as error:
            raise UnreadableSecret(path) from error

    def _unwrap(self, value: str) -> _Found:
        if not (kind := kind_of(value)):
            raise CannotOpen
        try:
            sealed = base64.b64decode(value.removeprefix(prefix_of(kind)), validate=True)
            known = envelope.unwrap(self.ring, sealed)
            label = msgspec.json.decode(known.label, type=Label) if known.label else None
        except (ValueError, msgspec.MsgspecError) as error:
            raise CannotOpen from error
        if label and label.kind != kind:
            raise CannotOpen
        return _Found(kind, label, known, digest_of(value) or "")


class _Found(msgspec.Struct, frozen=True):
    """The cipher of a value, with its data key unwrapped."""

    kind: str
    label: Label | None
    """None if it is from before labels: then it can be decrypted only in the scope that it was encrypted for."""
    envelope: Envelope
    digest: str

    def open(self, scope: Scope) -> Any:
        """The value. Whether its label allows that in this scope was checked by the caller."""
        where = Scope(scope.project_id) if self.kind == OF_PROJECT else scope
        return msgspec.json.decode(self.envelope.open(where.associated))


def _find_recorded(document: Any, bindings: Bindings) -> Recorded:
    """The recorded bindings of the ciphers in a document, found together."""
    digests = set[str]()

    def collect(value: Any, _path: str) -> Any:
        if isinstance(value, str) and (digest := digest_of(value)):
            digests.add(digest)
        return value

    walk(document, collect)
    return bindings.find(digests) if digests else {}


def _is_kept(value: Any) -> bool:
    return isinstance(value, str) and (is_cipher(value) or is_placeholder(value))


def _sign(key: RootKey, words: tuple[str, ...]) -> str:
    digest = hmac.digest(key.signing, msgspec.json.encode(words), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
