"""Many worlds at once: the loop of each, one after the other, without the interpreter lock; and numbers of all."""

from cupola.engine.loop import advance
from cupola.kernel.jit import copy_numbers, jit
from cupola.xmath import Number


@jit
def advance_all(tables: Number, ticks: Number, done: Number, first: int, stop: int) -> None:
    """Run worlds `first` to `stop`, each by its own number of ticks; `done` says how many were wholly done."""
    for i in range(first, stop):
        done[i] = advance(tables[i], ticks[i]) if ticks[i] > 0 else 0


@jit
def gather(addresses: Number, out: Number) -> None:
    """Copy the numbers at some addresses; where an address is 0, what is there stays."""
    for i in range(addresses.shape[0]):
        for k in range(addresses.shape[1]):
            if addresses[i, k] != 0:
                copy_numbers(out.ctypes.data + 8 * (i * out.shape[1] + k), addresses[i, k], 1)
