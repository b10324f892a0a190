"""MAVLink's frames, and the four messages between PX4 and a simulator, each packed or read in one go.

Written from MAVLink's "Packet Serialization" and common.xml. On the wire the fields of a message go from the largest
type to the smallest, extensions last. The general way to write a message takes longer than all else of an exchange.
"""

import binascii
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

SECOND, FIRST = 0xFD, 0xFE
"""What a frame begins with in version 2 and 1."""
HEAD = {SECOND: struct.Struct("<xBBxBBBHB"), FIRST: struct.Struct("<xBBBBB")}
"""Length, flags (version 2), count, system, component, number (in two pieces in version 2)."""
SIGNED, SIGNATURE = 0x01, 13
"""Flag of a frame that a signature follows, and the length of that."""
CHECK = struct.Struct("<H")
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class FrameError(Exception):
    """What came is no MAVLink."""


class Layout(NamedTuple):
    """How a message is written."""

    number: int
    extra: int
    """What its definition adds to the checksum."""
    fields: struct.Struct
    order: tuple[int, ...] = ()
    """Of the fields on the wire, where that is not the order of the definition."""


SENSOR = Layout(107, 108, struct.Struct("<Q13fIB"))
GPS = Layout(113, 124, struct.Struct("<QiiiHHHhhhHBBBH"), (0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 12, 13, 14))
TRUTH = Layout(115, 4, struct.Struct("<Q7fiiihhhHHhhh"))
CONTROLS = Layout(93, 47, struct.Struct("<QQ16fB"))
"""Time, flags, sixteen controls, mode."""


def checksum(content: bytes, extra: int) -> int:
    """MAVLink's: it takes the bits of a byte from the other end than Python's own of that polynomial."""
    found = binascii.crc_hqx((content + bytes((extra,))).translate(REVERSED), 0xFFFF)
    return REVERSED[found & 0xFF] << 8 | REVERSED[found >> 8]


class Writer:
    """Numbers the frames that it writes."""

    def __init__(self, system: int, component: int) -> None:
        self._from = system, component
        self._count = 0

    def frame(self, layout: Layout, row: tuple[Any, ...]) -> bytes:
        """A message of version 2; its fields are in the order of their definition, the last ones may be left out."""
        row += (0,) * (len(layout.order) - len(row))
        payload = layout.fields.pack(*(row[k] for k in layout.order)) if layout.order else layout.fields.pack(*row)
        payload = payload.rstrip(b"\0") or b"\0"
        body = bytes((len(payload), 0, 0, self._count, *self._from, layout.number, 0, 0)) + payload
        self._count = (self._count + 1) & 0xFF
        return b"\xfd" + body + CHECK.pack(checksum(body, layout.extra))


class Reader:
    """Finds the messages of one kind in a stream."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._rest = b""

    def take(self, content: bytes) -> Iterator[tuple[Any, ...]]:
        """Fields of each that is whole now, in the order of the wire; what else came is passed over."""
        self._rest += content
        while (frame := self._next()) is not None:
            number, payload = frame
            if number == self._layout.number:
                size = self._layout.fields.size
                yield self._layout.fields.unpack(payload[:size].ljust(size, b"\0"))

    def _next(self) -> tuple[int, bytes] | None:
        """Number and payload of the next frame; None: it is not here yet."""
        rest = self._rest
        if not rest:
            return None
        head = HEAD.get(rest[0])
        if head is None:
            raise FrameError(f"a frame begins with {SECOND} or {FIRST}, and not with {rest[0]}")
        if len(rest) < head.size:
            return None
        if rest[0] == SECOND:
            length, flags, *_, low, high = head.unpack_from(rest)
            number = low | high << 16
        else:
            length, *_, number = head.unpack_from(rest)
            flags = 0
        if flags & ~SIGNED:
            raise FrameError(f"a frame has the flags {flags:#x}, of which only {SIGNED:#x} is known")
        checked = head.size + length
        end = checked + CHECK.size + SIGNATURE * flags
        if len(rest) < end:
            return None
        self._rest = rest[end:]
        if number == self._layout.number:
            (said,) = CHECK.unpack_from(rest, checked)
            if said != checksum(rest[1:checked], self._layout.extra):
                raise FrameError(f"a message {number} has the wrong checksum")
        return number, rest[head.size : checked]
