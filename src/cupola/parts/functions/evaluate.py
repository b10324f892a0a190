"""The machine behind functions of a vehicle file: it goes once through a list of instructions on numbered registers.

All of it lies in one block of constants: registers, then instructions of five numbers, then axes and tables.
An instruction says what is done, from which three registers, and where its table lies. Its result is the next register.
One text is compiled for all vehicles; what differs from one to another is data.
"""

from cupola.xmath import (
    Number,
    absolute,
    acos,
    asin,
    atan,
    atan2,
    cos,
    exp,
    floor,
    log,
    maximum,
    minimum,
    power,
    sin,
    sqrt,
    tan,
)

WIDTH = 5
"""Numbers of an instruction: operation, three registers, place of an axis, a table, a channel or a coordinate."""
ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATIVE, POWER, MINIMUM, MAXIMUM, LOCATE, LOOKUP, IF = range(11)
LESS, AT_MOST, EQUAL, AND, OR, NOT, ABS, SQRT, EXP, LOG, SIN, COS, TAN, ASIN, ACOS, ATAN, ATAN2 = range(11, 28)
FLOOR, CEILING, SIGN, CHANNEL, JOINT, MODULO = range(28, 34)
LOW_EXTENDS, HIGH_EXTENDS, LOW_IS_TOLD, HIGH_IS_TOLD = 1, 2, 4, 8
"""Bits of an axis: whether it goes on beyond its ends, and whether being there is worth a word."""


def evaluate(block: Number, code: Number, count: Number, result: Number, drive: Number, qpos: Number) -> Number:
    """Run `count` instructions that begin at `code`; the first result goes to register `result`.

    Returns the number of the first table that was left, counted from 1; 0: none.
    """
    outside = 0.0
    for i in range(count):
        at = code + WIDTH * i
        op, place = int(block[at]), int(block[at + 4])
        a, b, c = block[int(block[at + 1])], block[int(block[at + 2])], block[int(block[at + 3])]
        if op == LOCATE:
            answer = locate(block, place, a)
            if outside == 0.0:
                outside = left(block, place, a)
        elif op == LOOKUP:
            answer = lookup(block, place)
        elif op == CHANNEL:
            answer = drive[place]
        elif op == JOINT:
            answer = qpos[place]
        elif op < LOCATE or op == IF:
            answer = arithmetic(op, a, b, c)
        else:
            answer = function(op, a, b)
        block[result + i] = answer
    return outside


def arithmetic(op: Number, a: Number, b: Number, c: Number) -> Number:
    """The most frequent operations."""
    if op == ADD:
        return a + b
    if op == SUBTRACT:
        return a - b
    if op == MULTIPLY:
        return a * b
    if op == DIVIDE:
        return a / b
    if op == NEGATIVE:
        return -a
    if op == POWER:
        return power(a, b)
    if op == MINIMUM:
        return minimum(a, b)
    if op == MAXIMUM:
        return maximum(a, b)
    return b if a != 0.0 else c


def function(op: Number, a: Number, b: Number) -> Number:
    """Comparisons, and functions of one or two numbers; true is 1."""
    if op == LESS:
        return 1.0 if a < b else 0.0
    if op == AT_MOST:
        return 1.0 if a <= b else 0.0
    if op == EQUAL:
        return 1.0 if a == b else 0.0
    if op == AND:
        return 1.0 if a != 0.0 and b != 0.0 else 0.0
    if op == OR:
        return 1.0 if a != 0.0 or b != 0.0 else 0.0
    if op == NOT:
        return 1.0 if a == 0.0 else 0.0
    if op == ABS:
        return absolute(a)
    if op == SQRT:
        return sqrt(a)
    if op == EXP:
        return exp(a)
    if op == LOG:
        return log(a)
    if op == FLOOR:
        return 1.0 * floor(a)
    if op == CEILING:
        return -1.0 * floor(-a)
    if op == SIGN:
        return 1.0 if a > 0.0 else (-1.0 if a < 0.0 else 0.0)
    if op == MODULO:
        return a - b * floor(a / b)
    return angular(op, a, b)


def angular(op: Number, a: Number, b: Number) -> Number:
    """Sines and their like."""
    if op == SIN:
        return sin(a)
    if op == COS:
        return cos(a)
    if op == TAN:
        return tan(a)
    if op == ASIN:
        return asin(a)
    if op == ACOS:
        return acos(a)
    if op == ATAN:
        return atan(a)
    return atan2(a, b)


def locate(block: Number, axis: Number, x: Number) -> Number:
    """Where a value lies on an axis: number of the break below it plus the share of the way to the next one.

    An axis is: how many breaks, its bits, the number of its table, the breaks.
    """
    count, bits, first = int(block[axis]), int(block[axis + 1]), axis + 3
    if count == 1:
        return 0.0
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x < block[first + middle]:
            high = middle
        else:
            low = middle
    start, end = block[first + low], block[first + low + 1]
    place = low + (x - start) / (end - start)
    if place < 0.0 and not bits & LOW_EXTENDS:
        return 0.0
    if place > count - 1 and not bits & HIGH_EXTENDS:
        return count - 1.0
    return place


def left(block: Number, axis: Number, x: Number) -> Number:
    """The number of the axis's table if a value lies beyond an end that is worth a word, else 0."""
    count, bits = int(block[axis]), int(block[axis + 1])
    if x < block[axis + 3] and bits & LOW_IS_TOLD:
        return block[axis + 2]
    if x > block[axis + 2 + count] and bits & HIGH_IS_TOLD:
        return block[axis + 2]
    return 0.0


def lookup(block: Number, table: Number) -> Number:
    """Value of a table, linear in each variable.

    A table is: how many axes, where its values begin, and of each axis a register with the place on it, how many breaks
    it has, and how far apart two neighbours lie among the values.
    """
    axes, values = int(block[table]), int(block[table + 1])
    if axes == 1:
        return _line(block, table + 2, values)
    if axes == 2:
        return _plane(block, table + 2, table + 5, values)
    total = 0.0
    for corner in range(1 << axes):
        weight, at = 1.0, values
        for k in range(axes):
            record = table + 2 + 3 * k
            below = _below(block, record)
            share = block[int(block[record])] - below
            upper = (corner >> k) & 1
            weight *= share if upper else 1.0 - share
            at += (below + upper) * int(block[record + 2])
        if weight != 0.0:  # an axis of one break has no upper neighbour
            total += weight * block[at]
    return total


def _below(block: Number, record: Number) -> Number:
    """Number of the break below the place on an axis."""
    place, last = block[int(block[record])], int(block[record + 1]) - 2
    if place < 1.0 or last < 1:
        return 0
    return min(int(place), last)


def _line(block: Number, record: Number, at: Number) -> Number:
    """Along one axis, whose values begin at `at`."""
    below, stride = _below(block, record), int(block[record + 2])
    share = block[int(block[record])] - below
    low = block[at + below * stride]
    if share == 0.0:
        return low
    return low + share * (block[at + (below + 1) * stride] - low)


def _plane(block: Number, outer: Number, inner: Number, values: Number) -> Number:
    """Along two axes: twice along the inner one."""
    below, stride = _below(block, outer), int(block[outer + 2])
    share = block[int(block[outer])] - below
    low = _line(block, inner, values + below * stride)
    if share == 0.0:
        return low
    return low + share * (_line(block, inner, values + (below + 1) * stride) - low)
