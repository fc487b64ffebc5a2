"""`hash` and `hash_hmac`: digests and checksums by their names in PHP."""

from __future__ import annotations

import hashlib
import hmac
import zlib
from collections.abc import Callable

from penstock.extractor.base.functions.arguments import WrongArgument

_NAMES = {
    **{name: name for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "ripemd160", "whirlpool")},
    **{f"sha512/{bits}": f"sha512_{bits}" for bits in (224, 256)},
    **{f"sha3-{bits}": f"sha3_{bits}" for bits in (224, 256, 384, 512)},
}
DIGESTS = {name: digest for name, digest in _NAMES.items() if digest in hashlib.algorithms_available}
"""Digests for signatures, with their names in Python."""


def digest(algorithm: str, data: bytes) -> bytes:
    name = algorithm.lower()
    if name in CHECKSUMS:
        return CHECKSUMS[name](data)
    return hashlib.new(_known(name, [*DIGESTS, *CHECKSUMS]), data, usedforsecurity=False).digest()


def sign(algorithm: str, data: bytes, key: bytes) -> bytes:
    return hmac.digest(key, data, _known(algorithm.lower(), [*DIGESTS]))


def _known(name: str, names: list[str]) -> str:
    if name not in DIGESTS:
        raise WrongArgument(f"does not know this algorithm; it knows {', '.join(names)}")
    return DIGESTS[name]


def _crc32_of_bzip2(data: bytes) -> bytes:
    """Computes the plain `crc32` of PHP: highest bit first, and its bytes in reverse."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return (crc ^ 0xFFFFFFFF).to_bytes(4, "little")


def _crc32c(data: bytes) -> bytes:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return (crc ^ 0xFFFFFFFF).to_bytes(4, "big")


def _joaat(data: bytes) -> bytes:
    """Computes Jenkins's one-at-a-time hash."""
    total = 0
    for byte in data:
        total = (total + byte) * 1025 & 0xFFFFFFFF
        total ^= total >> 6
    total = total * 9 & 0xFFFFFFFF
    total ^= total >> 11
    return (total * 32_769 & 0xFFFFFFFF).to_bytes(4, "big")


def _fnv(size: int, *, xor_first: bool) -> Callable[[bytes], bytes]:
    """Returns the hash of Fowler, Noll and Vo, of 4 or 8 bytes; the variant 1a mixes before it multiplies."""
    prime, start = {4: (0x01000193, 0x811C9DC5), 8: (0x100000001B3, 0xCBF29CE484222325)}[size]

    def checksum(data: bytes) -> bytes:
        total = start
        for byte in data:
            total = (total ^ byte) * prime if xor_first else total * prime ^ byte
            total %= 1 << size * 8
        return total.to_bytes(size, "big")

    return checksum


CHECKSUMS: dict[str, Callable[[bytes], bytes]] = {
    "crc32": _crc32_of_bzip2,
    "crc32b": lambda data: zlib.crc32(data).to_bytes(4, "big"),
    "crc32c": _crc32c,
    "adler32": lambda data: zlib.adler32(data).to_bytes(4, "big"),
    "fnv132": _fnv(4, xor_first=False),
    "fnv1a32": _fnv(4, xor_first=True),
    "fnv164": _fnv(8, xor_first=False),
    "fnv1a64": _fnv(8, xor_first=True),
    "joaat": _joaat,
}
