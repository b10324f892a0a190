"""The flight of several worlds side by side, for the processor: the same pieces as `flight_text`, each in a loop over
the worlds that the compiler turns into vector instructions. Numbers of the state stand in short rows, one for each
number, a lane for each world; a world that has stopped, or where nothing is due, keeps what it has.
"""

import re
from typing import Any

from cupola.engine.lane_math import due_lanes
from cupola.many.flight_numbers import MOTION
from cupola.many.flight_template import Flight
from cupola.many.flight_text import Writer

FLOCK = """
def flock(S, K, I, first, stop, count):
    {rows}
    begins = 0
    for w in range(LANES):
        i = min(first + w, stop - 1)
        ticks[w], seeds[w] = I[0, i], I[1, i]
        live[w] = ONE if I[2, i] == 0 else ZERO
        starts[w] = live[w] if I[3, i] != 0 else ZERO
        begins = min(begins, -int(starts[w]))
        flown[w], fault[w], due[w] = ZERO, ZERO, ONE
        {gather}
    {waits}
    for k in range(begins, count):
        moves = ONE if k >= 0 else ZERO
        if k < 0:
            {begin}
        else:
            {control}
            {gusts}
            {actuate}
        {move}
        {sense}
    for w in range(min(LANES, stop - first)):
        i = first + w
        I[0, i] += int(flown[w])
        I[2, i], I[3, i] = I[2, i] + int(fault[w]), 0
        {scatter}
"""
AROUND = ["blows = (Gust(gust.x, gust.y, gust.z),)"]
AROUND += ["around = Around(AIR, EARTH, GUSTS, LAYERS, NO_FIELD, NO_TICKS, THERMALS, JETS, CLOCK, blows, GIVEN)"]
AIR = "air = atmosphere(height_of(around, {}), around.air[0])"
BEFORE = [f"before_{axis}" for axis in "xyz"]
PUSHED = [f"{name}_{axis}" for name in ("linear", "angular") for axis in "xyz"]
"""Rows that live within a tick: where the body was, and how it accelerated; sensors ask for them."""
RUNS = "starts[w] * (ONE - moves) + live[w] * moves > ZERO"
"""Before the first tick only what starts runs."""
WORD = re.compile(r"[A-Za-z_]\w*")
INTS, FLOATS = ("ticks", "seeds"), ("live", "starts", "flown", "fault", "due", *BEFORE, *PUSHED)


class LaneWriter(Writer):
    """Writes the flight of worlds side by side."""

    cell, own_cell = "s{}[w]", "k{}[w]"

    def write(self) -> Flight:
        """The text of the flight: `flock`, with the number of lanes as `LANES`."""
        super().write()  # names every row
        self.names["due_lanes"] = due_lanes
        sensors = self._measured()
        pieces = {
            "begin": self._loop(self._begin_lines(), ["turbulence", "gust"], "starts[w] > ZERO", "0"),
            "control": self._when("control", self.world.runner().every, self._law(), ["held", "law_state"]),
            "gusts": self._when("gust", self._every_draw(), self._stirred(), ["turbulence", "gust"]),
            "actuate": self._actuated(),
            "move": self._move(),
            "sense": [line for j, (every, lines) in enumerate(sensors) for line in self._sensed(j, every, lines)],
        }
        names = ("control", "gust", *(f"sense_{j}" for j in range(len(sensors))))
        pieces["waits"] = [f"wait_{name} = 0" for name in names]
        rows, own = range(len(self.rows)), range(len(self.own))
        pieces["rows"] = [f"{name} = lanes()" for name in (*FLOATS, *map("s{}".format, rows), *map("k{}".format, own))]
        pieces["rows"] += [f"{name} = whole_lanes()" for name in INTS]
        pieces["gather"] = [f"s{r}[w] = S[{r}, i]" for r in rows] + [f"k{r}[w] = K[{r}, i]" for r in own]
        pieces["scatter"] = [f"S[{r}, i] = s{r}[w]" for r in rows]
        return self._filled(FLOCK, pieces)

    def _every_draw(self) -> int:
        return int(self.world.arrays.world["draw_every"][0])

    def _begin_lines(self) -> list[str]:
        return [line for line in self._begin() if line != "pass"]

    def _loop(self, lines: list[str], kept: list[str], mask: str, tick: str) -> list[str]:
        """A piece in a loop over the worlds: what it keeps is written where the mask holds."""
        if not lines:
            return []
        used = _words(lines)
        piece = [*lines, f"go = {mask}", *self._stores([name for name in kept if name in used])]
        return ["for w in range(LANES):", *_indented([*self._head(tick, piece), *piece])]

    def _head(self, tick: str, piece: list[str]) -> list[str]:
        """What a piece reads of its world."""
        read = [line for name, kind in self._kept().items() for line in self._reading(name, kind)]
        lines = [f"tick = ticks[w] + {tick}", "seed = seeds[w]", *self._fixed(), *read]
        lines.append("b = free_body(pos, quat, vel, rate)")
        needed, found = _words(piece), []
        for line in reversed(lines):
            if WORD.match(line)[0] in needed:  # type: ignore[index]
                needed |= _words([line])
                found.append(line)
        return found[::-1]

    def _stores(self, names: list[str]) -> list[str]:
        kept: dict[str, Any] = self._kept()
        lines = [line.split(" = ", 1) for name in names if name in kept for line in self._storing(name, kept[name])]
        return [f"{place} = {value} if go else {place}" for place, value in lines]

    def _when(self, name: str, every: int, lines: list[str], kept: list[str]) -> list[str]:
        """A piece of the ticks at which it is due in some world."""
        return self._due(name, every, "k", self._loop(lines, kept, "live[w] * due[w] > ZERO", "k"))

    def _due(self, name: str, every: int, now: str, loop: list[str]) -> list[str]:
        if not loop:
            return []
        asked = [f"if wait_{name} == 0:", f"    wait_{name} = due_lanes(due, ticks, {now}, {every})"]
        return [*asked, *_indented(loop), f"wait_{name} -= 1"]

    def _moved_parts(self) -> list[str]:
        return [name for name in self._kept() if name.startswith(("state_", "memory_"))]

    def _actuated(self) -> list[str]:
        return self._loop(
            [*AROUND, AIR.format("b.pos_w"), *self._actuate()], ["drive", *self._moved_parts()], RUNS, "k"
        )

    def _move(self) -> list[str]:
        """Loads and the step; before the first tick the loads alone, for sensors."""
        why = "ZERO"
        for code, condition in reversed(self._faults().items()):
            why = f"{self.constant(code)} if {condition} else {why}"
        lines = [
            *AROUND,
            AIR.format("b.pos_w"),
            "force, torque = Vector(ZERO, ZERO, ZERO), Vector(ZERO, ZERO, ZERO)",
            *self._load(),
            "acc = accelerate_free(b, solid, spin, force, torque, GRAVITY)",
            *(f"{row}[w] = b.pos_w.{row[-1]}" for row in BEFORE),
            *(f"{row}[w] = acc.{row[:-2]}_{'w' if row[0] == 'l' else 'b'}.{row[-1]}" for row in PUSHED),
            "b = step_free(b, acc, DT)",
            "pos, quat, vel, rate = b.pos_w, b.quat_wb, b.vel_w, b.rate_b",
            f"why = {why}",
        ]
        ends = [
            "go = moves * live[w] > ZERO",
            *self._stores([*MOTION]),
            "flown[w] = flown[w] + ONE if go else flown[w]",
            "fault[w] = why if go else fault[w]",
            "live[w] = ZERO if fault[w] != ZERO else live[w]",
        ]
        return [*self._loop(lines, self._moved_parts(), RUNS, "k"), *_indented(ends)]

    def _sensed(self, j: int, every: int, lines: list[str]) -> list[str]:
        states = [*self._moved_parts(), *(name for name in self._kept() if name.startswith("sample_"))]
        linear, angular = (", ".join(f"{name}[w]" for name in PUSHED[at : at + 3]) for at in (0, 3))
        before = f"Vector({', '.join(f'{name}[w]' for name in BEFORE)})"
        heads = [
            *AROUND,
            AIR.format(before),
            f"acc = Acceleration(Vector({linear}), Vector({angular}))",
        ]
        loop = self._loop([*heads, *lines], states, f"({RUNS}) & (due[w] > ZERO)", "k + 1")
        return self._due(f"sense_{j}", every, "k + 1", loop)


def _words(lines: list[str]) -> set[str]:
    return {word for line in lines for word in WORD.findall(line)}


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
