"""Offset of each field of a ROS 2 message.

CDR (OMG CORBA 3.4, 9.3; DDS-RTPS 2.5, 10): 4 bytes that say the byte order, then the fields one after the other, each
number aligned to its own size counted from after those 4 bytes. Texts and sequences start with their length as a
uint32. So messages with equal lengths have equal layouts, and a whole column of them is read or written at once.

ROS 1 packs: the same little-endian fields without those 4 bytes, without gaps, and its texts have no closing zero.
"""

import struct
from typing import NamedTuple

from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import FieldDesc, Typesdict

from cupola.record.stream import RecordingError
from cupola.schema.validation_messages import short

ENCAPSULATION = 4
"""Bytes in front of the first field."""
BLOB = 64
"""A byte array longer than this is a picture or a point cloud, not a row of numbers, and is passed over."""
MOST_FIELDS = 100_000
"""Of one message, counted with those inside each other."""
BYTE_ORDERS = {b"\x00\x00": ">", b"\x00\x01": "<"}
NUMBERS = {
    "bool": "?", "byte": "u1", "char": "u1", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4",
    "uint32": "u4", "int64": "i8", "uint64": "u8", "float32": "f4", "float64": "f8",
}  # fmt: skip


class Leaf(NamedTuple):
    """One number, text or length word of a message."""

    path: str
    dtype: str
    """NumPy's name of the number type; "S" is a text of `size` bytes; "length" is a word that says how many follow."""
    offset: int
    size: int


def leaves(definitions: Typesdict, name: str, data: bytes, packed: bool = False) -> list[Leaf]:
    """Walk one message `data` of type `name`; the paths are dotted, "transforms.0.header.frame_id".

    `packed` is the wire of ROS 1.
    """
    order = "<" if packed else BYTE_ORDERS.get(data[:2])
    if order is None:
        raise RecordingError(f"{name} message in an encoding other than plain CDR: first bytes {data[:4].hex(' ')}")
    walk = _Walk(definitions, data, order, packed)
    walk.message(name, "")
    return walk.found


class _Walk:
    """One pass over a message: `at` is the next byte, `found` what lay before it."""

    def __init__(self, definitions: Typesdict, data: bytes, order: str, packed: bool) -> None:
        self.definitions, self.data, self.order, self.packed = definitions, data, order, packed
        self.at, self.fields = 0 if packed else ENCAPSULATION, 0
        self.found: list[Leaf] = []

    def message(self, name: str, path: str) -> None:
        for field, description in self.definitions[name][1]:
            self.field(description, f"{path}.{field}" if path else field)

    def field(self, description: FieldDesc, path: str) -> None:
        self.fields += 1
        if self.fields > MOST_FIELDS:
            raise RecordingError(f"a message has more than {MOST_FIELDS} fields, up to {short(path)}")
        if description[0] == Nodetype.NAME:
            self.message(description[1], path)
        elif description[0] == Nodetype.BASE:
            self.base(description[1][0], path)
        else:
            item, count = description[1]
            if description[0] == Nodetype.SEQUENCE:
                count = self.length(path)
            if item[0] == Nodetype.BASE and NUMBERS.get(item[1][0]) == "u1" and count > BLOB:
                self.at += count  # the message may have been cut off before its end
            elif count > len(self.data) - self.at:
                raise RecordingError(f"{short(path)} says to hold {count} items, more than its message has bytes")
            else:
                for i in range(count):
                    self.field(item, f"{path}.{i}")

    def base(self, kind: str, path: str) -> None:
        if kind == "string":
            size = self.length(path)  # counts a closing zero
            if size > len(self.data) - self.at:
                raise RecordingError(f"{short(path)} says to be {size} bytes long, more than its message has")
            self.found.append(Leaf(path, "S", self.at, size if self.packed else size - 1))
            self.at += size
        elif kind in NUMBERS:
            self.number(path, self.order + NUMBERS[kind])
        else:
            raise RecordingError(f"field {path} is a {kind}, which is not supported")

    def number(self, path: str, dtype: str) -> Leaf:
        size = 1 if dtype.endswith("?") else int(dtype[-1])
        if not self.packed:
            self.at += -(self.at - ENCAPSULATION) % size
        self.found.append(Leaf(path, dtype, self.at, size))
        self.at += size
        return self.found[-1]

    def length(self, path: str) -> int:
        word = self.number(path, self.order + "u4")
        self.found[-1] = word._replace(dtype="length")
        count: int = struct.unpack_from(self.order + "I", self.data, word.offset)[0]
        return count
