"""Damage to the bytes of a file, as accidents and strangers do it; the same random numbers give the same damage."""

import random
import re
import struct

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
ODD_NUMBERS = (
    b"nan", b"inf", b"-inf", b"NaN", b"1e999", b"-1e999", b"1e308", b"-1e308", b"1e-320", b"0", b"-0", b"-1", b"1_000",
    b"0x7f", b"9" * 400, b"2147483648", b"18446744073709551616", b"1e5", b"\xd9\xa1", b"", b".", b"1.2.3", b"one",
)  # fmt: skip
ODD_WORDS = (
    b"\0",
    b"\n",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"'",
    b'"',
    b"<",
    b">",
    b"&",
    b"%s",
    b"../" * 9,
)
SIZES = (0, 1, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)


def mutate(data: bytes, rng: random.Random, words: tuple[bytes, ...], other: bytes = b"") -> bytes:
    """The data with one to four damages; `words` belong to the format, `other` is another file of it."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        found = bytearray(_damage(found, rng, words, other))
    return bytes(found[: 1 << 20])


def _damage(data: bytearray, rng: random.Random, words: tuple[bytes, ...], other: bytes) -> bytes | bytearray:
    at, n = rng.randrange(len(data) + 1), rng.choice((1, 1, 2, 8, 40, 300))
    match rng.randrange(12):
        case 0:
            data[at : at + 1] = bytes([rng.randrange(256)])
        case 1:
            del data[at : at + n]
        case 2:
            data[at:at] = data[at : at + n] * rng.choice((1, 2, 50))
        case 3:
            del data[at:]
        case 4 | 5:  # a number becomes an odd one
            numbers = list(NUMBER.finditer(data, max(0, at - 200), min(len(data), at + 2000)))
            if numbers:
                one = rng.choice(numbers)
                data[one.start() : one.end()] = rng.choice(ODD_NUMBERS)
        case 6:
            data[at : at + n] = rng.choice(ODD_WORDS)
        case 7:
            data[at:at] = rng.choice(words) if words else b" "
        case 8:  # lines change places, or one is said twice
            lines = bytes(data).split(b"\n")
            lines[rng.randrange(len(lines))] = rng.choice(lines)
            return b"\n".join(lines)
        case 9:
            start = rng.randrange(len(other) + 1)
            data[at : at + n] = other[start : start + n]
        case 10:
            data[at : at + 8] = struct.pack("<Q", rng.choice(SIZES))[: rng.choice((1, 2, 4, 8))]
        case 11:
            word = rng.choice(words) if words else b"("
            data[at:at] = word * rng.choice((2, 30, 1000))
    return data
