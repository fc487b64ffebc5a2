from __future__ import annotations

import hashlib
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.functions.hashes import CHECKSUMS, DIGESTS, digest, sign


@pytest.mark.parametrize(
    ("algorithm", "text", "hashed"),
    [
        ("crc32", "", "00000000"),
        ("crc32", "a", "6b9b9319"),
        ("crc32", "abc", "73bb8c64"),
        ("crc32b", "a", "e8b7be43"),
        ("crc32b", "message digest", "20159d7f"),
        ("crc32c", "a", "c1d04330"),
        ("crc32c", "abc", "364b3fb7"),
        ("crc32c", "123456789", "e3069283"),
        ("adler32", "Wikipedia", "11e60398"),
        ("fnv132", "foobar", "31f0b262"),
        ("fnv1a32", "foobar", "bf9cf968"),
        ("fnv164", "foobar", "340d8765a4dda9c2"),
        ("fnv1a64", "foobar", "85944171f73967e8"),
        ("joaat", "a", "ca2e9442"),
        ("joaat", "The quick brown fox jumps over the lazy dog", "519e91f5"),
        ("MD5", "", "d41d8cd98f00b204e9800998ecf8427e"),
        ("sha3-256", "", "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
    ],
)
def test_hashes_are_those_of_php(algorithm: str, text: str, hashed: str):
    assert digest(algorithm, text.encode()).hex() == hashed


@pytest.mark.skipif("sha512/256" not in DIGESTS, reason="this Python has no sha512/256")
def test_truncated_hashes_have_their_own_start():
    assert digest("sha512/256", b"").hex().startswith("c672b8d1ef56ed28")


def test_a_signature_is_that_of_rfc_4231():
    signature = sign("sha256", b"what do ya want for nothing?", b"Jefe").hex()

    assert signature == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"


@given(st.binary())
def test_checksums_have_a_fixed_size(data: bytes):
    sizes = {name: len(checksum(data)) for name, checksum in CHECKSUMS.items()}

    assert sizes == {name: 8 if "64" in name else 4 for name in CHECKSUMS}
    assert digest("crc32b", data).hex() == f"{zlib.crc32(data):08x}"
    assert digest("sha256", data) == hashlib.sha256(data).digest()
