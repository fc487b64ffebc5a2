"""Reads a QR code of the console: the modules of its path, without a camera, and whether its error correction fits."""

from __future__ import annotations

import re
from collections.abc import Callable

LEVEL_L = {7: (2, 20), 8: (2, 24), 9: (2, 30), 10: (4, 18), 11: (4, 20), 12: (4, 24), 13: (4, 26)}
"""Blocks, and codewords of correction in each, by version (ISO/IEC 18004, table 9)."""
ALIGNED = {
    7: (6, 22, 38),
    8: (6, 24, 42),
    9: (6, 26, 46),
    10: (6, 28, 50),
    11: (6, 30, 54),
    12: (6, 32, 58),
    13: (6, 34, 62),
}
MASKS: list[Callable[[int, int], bool]] = [
    lambda x, y: (x + y) % 2 == 0,
    lambda _x, y: y % 2 == 0,
    lambda x, _y: x % 3 == 0,
    lambda x, y: (x + y) % 3 == 0,
    lambda x, y: (x // 3 + y // 2) % 2 == 0,
    lambda x, y: x * y % 2 + x * y % 3 == 0,
    lambda x, y: (x * y % 2 + x * y % 3) % 2 == 0,
    lambda x, y: ((x + y) % 2 + x * y % 3) % 2 == 0,
]
"""Which modules are inverted (table 10)."""
FORMAT_MASK, FORMAT_POLYNOMIAL = 0b101010000010010, 0b10100110111
LEVEL_OF_L = 0b01


def read_qr(path: str) -> str:
    dark = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path)}
    size = max(x for x, _ in dark) + 1
    version = (size - 17) // 4
    format_bits = sum(((8, at if at < 6 else at + 1) in dark) << at for at in range(8))
    format_bits |= sum(((7 if at == 8 else 14 - at, 8) in dark) << at for at in range(8, 15))
    blocks = _split(_codewords(dark, size, version, _read_mask(format_bits)), *LEVEL_L[version])
    data = [byte for block in blocks for byte in block[: -LEVEL_L[version][1]]]
    return _text("".join(f"{byte:08b}" for byte in data), 8 if version < 10 else 16)


def _read_mask(format_bits: int) -> Callable[[int, int], bool]:
    """The mask of a code of level L, whose checksum fits."""
    bits = format_bits ^ FORMAT_MASK
    rest = bits
    for at in reversed(range(10, 15)):
        rest ^= (FORMAT_POLYNOMIAL << (at - 10)) if rest >> at & 1 else 0
    assert rest == 0, "the format has an error"
    assert bits >> 13 == LEVEL_OF_L
    return MASKS[bits >> 10 & 0b111]


def _codewords(
    dark: set[tuple[int, int]], size: int, version: int, is_inverted: Callable[[int, int], bool]
) -> list[int]:
    bits, column, upward = "", size - 1, True
    while column > 0:
        column -= column == 6
        for y in reversed(range(size)) if upward else range(size):
            for x in (column, column - 1):
                if not _is_pattern(x, y, size, version):
                    bits += str(int(((x, y) in dark) != is_inverted(x, y)))
        column, upward = column - 2, not upward
    return [int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8)]


def _is_pattern(x: int, y: int, size: int, version: int) -> bool:
    finder = (x < 9 and y < 9) or (x >= size - 8 and y < 9) or (x < 9 and y >= size - 8)
    told = (x < 6 and y >= size - 11) or (y < 6 and x >= size - 11)
    first, last = ALIGNED[version][0], ALIGNED[version][-1]
    corners = ((first, first), (first, last), (last, first))
    aligned = any(
        abs(x - cx) <= 2 and abs(y - cy) <= 2
        for cx in ALIGNED[version]
        for cy in ALIGNED[version]
        if (cx, cy) not in corners
    )
    return finder or told or aligned or 6 in (x, y)


def _split(codewords: list[int], count: int, correction: int) -> list[list[int]]:
    """The blocks; the syndromes of each are zero."""
    data, short = len(codewords) - count * correction, len(codewords) // count - correction
    longer = data - short * count
    blocks: list[list[int]] = [[] for _ in range(count)]
    for at, byte in enumerate(codewords[: short * count]):
        blocks[at % count].append(byte)
    for at, byte in enumerate(codewords[short * count : data]):
        blocks[count - longer + at].append(byte)
    for at, byte in enumerate(codewords[data:]):
        blocks[at % count].append(byte)
    assert all(_syndrome(block, power) == 0 for block in blocks for power in range(correction))
    return blocks


def _syndrome(block: list[int], power: int) -> int:
    value, root = 0, 1
    for _ in range(power):
        root = _multiply(root, 2)
    for byte in block:
        value = _multiply(value, root) ^ byte
    return value


def _multiply(one: int, other: int) -> int:
    product = 0
    while other:
        product ^= one if other & 1 else 0
        one = (one << 1) ^ (0x11D if one & 0x80 else 0)
        other >>= 1
    return product


def _text(bits: str, count_bits: int) -> str:
    assert bits[:4] == "0100", "bytes"
    start, length = 4 + count_bits, int(bits[4 : 4 + count_bits], 2)
    return bytes(int(bits[start + 8 * at : start + 8 * at + 8], 2) for at in range(length)).decode()
