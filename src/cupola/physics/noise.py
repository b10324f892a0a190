"""Random numbers as a pure function of (seed, stream, index, lane): no hidden state, so one world equals many worlds.

Threefry-2x32 with 20 rounds: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
The 32-bit words live in 64-bit integers with masks, so that plain integers, compiled code and arrays give the same
bits. Words wider than 32 bits are cut to their low 32 bits.
"""

import math
from typing import NamedTuple

from cupola.xmath import Number, cos, log, sin, sqrt

MASK = 0xFFFFFFFF
PARITY = 0x1BD11BDA
"""Constant of the key schedule (Skein's, cut to 32 bits)."""
TO_UNIT = 2.0**-32


class Bits(NamedTuple):
    """Two 32-bit words."""

    a: Number
    b: Number


class Pair(NamedTuple):
    """Two independent numbers."""

    a: Number
    b: Number


def threefry(key_0: Number, key_1: Number, counter_0: Number, counter_1: Number) -> Bits:
    """Two random 32-bit words of a 2 x 32-bit counter under a 2 x 32-bit key."""
    k0, k1 = key_0 & MASK, key_1 & MASK
    k2 = PARITY ^ k0 ^ k1
    x = Bits(((counter_0 & MASK) + k0) & MASK, ((counter_1 & MASK) + k1) & MASK)
    x = _inject(_mix(_mix(_mix(_mix(x, 13), 15), 26), 6), k1, k2, 1)
    x = _inject(_mix(_mix(_mix(_mix(x, 17), 29), 16), 24), k2, k0, 2)
    x = _inject(_mix(_mix(_mix(_mix(x, 13), 15), 26), 6), k0, k1, 3)
    x = _inject(_mix(_mix(_mix(_mix(x, 17), 29), 16), 24), k1, k2, 4)
    return _inject(_mix(_mix(_mix(_mix(x, 13), 15), 26), 6), k2, k0, 5)


def uniform(seed: Number, stream: Number, index: Number, lane: Number) -> Number:
    """A number between 0 and 1, never one of the two."""
    return (threefry(seed, stream, index, lane).a + 0.5) * TO_UNIT


def gaussian_pair(seed: Number, stream: Number, index: Number, lane: Number) -> Pair:
    """Two independent standard normal numbers (Box and Muller, 1958); `index` is usually the tick.

    The uniform number lies half a step inside (0, 1): its logarithm is finite and no value exceeds 6.8 in size.
    """
    bits = threefry(seed, stream, index, lane)
    radius = sqrt(-2.0 * log((bits.a + 0.5) * TO_UNIT))
    angle = 2.0 * math.pi * TO_UNIT * bits.b
    return Pair(radius * cos(angle), radius * sin(angle))


def _mix(x: Bits, turn: int) -> Bits:
    """One round: add, rotate the second word left by `turn` bits, exclusive or."""
    a = (x.a + x.b) & MASK
    rotated = ((x.b << turn) | (x.b >> (32 - turn))) & MASK
    return Bits(a, rotated ^ a)


def _inject(x: Bits, key_a: Number, key_b: Number, count: int) -> Bits:
    """Add key words and the injection count."""
    return Bits((x.a + key_a) & MASK, (x.b + key_b + count) & MASK)
