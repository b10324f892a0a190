"""Space robots on an air-bearing table: Cepheus and its targets; a servicer in orbit and its client."""

import math

from tools.looks.solids import Solid, Station, body, both, box, join, lathe, move, shaft_up, tube, turn

PADS = (0.0, 120.0, 240.0)
"""[deg] of the bearings about the middle."""


def _round(solid: Solid) -> Solid:
    """Three of it, about z."""
    return join(*(turn(solid, "z", angle) for angle in PADS))


def _plate(radius: float, height: float, thick: float = 0.004) -> Solid:
    edge = 0.001
    profile = [(-thick, radius - edge), (-thick + edge, radius), (thick - edge, radius), (thick, radius - edge)]
    return move(shaft_up(lathe(profile, 20)), [0, 0, height])


def _bearing(at: float, radius: float = 0.019, top: float = 0.03) -> Solid:
    """A round pad on a ball joint below the lowest plate, ahead of the middle."""
    pad = shaft_up(lathe([(0.0, radius), (0.009, radius), (0.013, 0.7 * radius)], 10))
    stem = shaft_up(lathe([(0.012, 0.006), (top, 0.006)], 6))
    return move(join(pad, stem), [at, 0, 0])


def _bottle(length: float, radius: float) -> Solid:
    """A gas bottle along y, its neck ahead."""
    half = 0.5 * length
    ends = [(-half, 0.2), (-half + 0.3 * radius, 0.75), (-half + radius, 1.0), (half - radius, 1.0)]
    neck = [(half - 0.3 * radius, 0.75), (half, 0.32), (half + 0.5 * radius, 0.3), (half + 0.6 * radius, 0.2)]
    return turn(lathe([(x, radius * part) for x, part in ends + neck], 10), "z", 90)


def _nozzles(radius: float, height: float, size: float) -> Solid:
    """Pairs that blow along the rim, one each way, at three places: a block and two cones."""
    cone = [(0.0, 0.25 * size), (0.5 * size, 0.3 * size), (1.2 * size, 0.62 * size)]
    pair = both(turn(move(lathe(cone, 6), [0.5 * size, 0, 0]), "z", 90))
    block = box([0.5 * size, 0.6 * size, 0.5 * size], power=6, count=4)
    return _round(move(join(pair, block), [radius, 0, height]))


def _joint(radius: float, half: float) -> Solid:
    """A motor with its gear about z."""
    profile = [(-half, 0.8 * radius), (-0.9 * half, radius), (0.35 * half, radius), (0.4 * half, 0.86 * radius)]
    return shaft_up(lathe([*profile, (0.95 * half, 0.86 * radius), (half, 0.7 * radius)], 12))


def _link(start: float, end: float, radius: float) -> Solid:
    """A tube along x between two clamps."""
    clamp = 1.35 * radius
    ends = [(start, clamp), (start + 1.6 * radius, clamp), (start + 1.8 * radius, radius)]
    return lathe([*ends, (end - 1.8 * radius, radius), (end - 1.6 * radius, clamp), (end, clamp)], 10)


def _jaws(length: float, gap: float, thick: float) -> Solid:
    """Two fingers that close on a plate, about their roots at x = 0."""
    stations = [(0.0, 0.9, 1.0), (0.3, 1.0, 1.0), (0.7, 0.8, 0.9), (1.0, 0.5, 0.6)]
    finger = body([Station(length * x, 0, thick * w, 2 * thick * h, 4) for x, w, h in stations], 6)
    pad = box([0.22 * length, 0.35 * thick, 1.4 * thick], [0.75 * length, -0.9 * thick, 0], 6, 4)
    return both(move(join(finger, pad), [0, gap, 0]))


def cepheus(shoulder: float = 0.0) -> dict[str, Solid]:
    """Three plates on three air bearings, gas bottles, three pairs of nozzles, a wheel, an arm of three joints."""
    angle = math.radians(60)
    post = tube([0.17, 0, 0.03], [0.17, 0, 0.36], 0.006, count=8)
    computer = box([0.09, 0.09, 0.05], [-0.03, 0, 0.27], 7, 8)
    marker = shaft_up(lathe([(-0.008, 0.001), (-0.005, 0.0065), (0, 0.008), (0.005, 0.0065), (0.008, 0.001)], 5))
    hoses = [tube([0.09, 0.11, 0.08], [0.1 * math.cos(angle), 0.17, 0.2], 0.004, count=6)]
    grip = join(
        box([0.03, 0.02, 0.02], [-0.2, 0, 0.3], 6, 8), turn(move(_jaws(0.035, 0.014, 0.004), [0.205, 0, 0.3]), "z", 180)
    )
    return {
        "plates": join(*(_plate(0.2, height) for height in (0.03, 0.21, 0.36))),
        "posts": _round(post),
        "bearings": _round(_bearing(0.15)),
        "bottles": join(move(_bottle(0.24, 0.035), [-0.09, 0, 0.08]), move(_bottle(0.24, 0.035), [0.09, 0, 0.08])),
        "nozzles": _nozzles(0.2, 0.2, 0.014),
        "hoses": join(*hoses, tube([-0.09, 0.11, 0.08], [-0.1, 0.172, 0.19], 0.004, count=6)),
        "computer": join(computer, *(box([0.07, 0.07, 0.003], [-0.03, 0, 0.325 + 0.014 * k], 6, 4) for k in range(2))),
        "battery": box([0.05, 0.1, 0.03], [-0.05, 0, 0.395], 7, 8),
        "markers": join(*(move(marker, at) for at in ([0.12, 0.1, 0.372], [-0.14, 0.08, 0.372], [0.02, -0.16, 0.372]))),
        "mount": box([0.035, 0.03, 0.034], [0.125, shoulder, 0.3], 6, 10),
        "rear_grip": grip,
        "rotor": shaft_up(lathe([(-0.012, 0.06), (-0.01, 0.08), (0.01, 0.08), (0.012, 0.06)], 18)),
        "spokes": join(*(turn(box([0.076, 0.006, 0.0135], power=6, count=4), "z", angle) for angle in PADS)),
        "shoulder": _joint(0.026, 0.034),
        "upper": _link(0.022, 0.348, 0.0145),
        "elbow": _joint(0.024, 0.031),
        "lower": _link(0.02, 0.273, 0.0125),
        "wrist": _joint(0.021, 0.028),
        "palm": _link(0.018, 0.1, 0.0125),
        "sensor": lathe([(-0.02, 0.026), (-0.018, 0.029), (0.008, 0.029), (0.01, 0.026)], 14),
        "gripper": box([0.05, 0.03, 0.025], [0.06, 0, 0], 6, 10),
        "jaws": move(_jaws(0.066, 0.024, 0.005), [0.108, 0, 0]),
        "stilt": join(
            tube([0.06, 0, -0.285], [0.06, 0, -0.025], 0.006, count=8), move(_bearing(0.06, 0.0115, 0.02), [0, 0, -0.3])
        ),
        "hand_markers": join(move(marker, [0.04, 0.02, 0.03]), move(marker, [0.09, -0.02, 0.03])),
    }


def cepheus_sim() -> dict[str, Solid]:
    """The same base with its shoulder at the side; the hand is a joint with short jaws."""
    whole = cepheus(-0.08225)
    for name in ("palm", "sensor", "stilt"):
        del whole[name]
    marker = shaft_up(lathe([(-0.006, 0.001), (-0.004, 0.005), (0, 0.006), (0.004, 0.005), (0.006, 0.001)], 6))
    return whole | {
        "lower": _link(0.02, 0.35, 0.0125),
        "wrist": _joint(0.019, 0.024),
        "gripper": box([0.018, 0.02, 0.018], [0.038, 0, 0], 6, 14),
        "jaws": move(_jaws(0.03, 0.014, 0.003), [0.05, 0, 0]),
        "hand_markers": move(marker, [0.035, 0, 0.022]),
    }


def _panel(length: float, width: float, thick: float, cells: int) -> tuple[Solid, Solid]:
    """A solar panel that begins at y = 0: its frame with a boom, and its cells."""
    frame = box([width, 0.5 * length, thick], [0, 0.5 * length, 0], 10, 12)
    size = length / cells
    rows = [
        box([0.44 * width, 0.42 * size, 1.5 * thick], [side * 0.49 * width, (k + 0.5) * size, 0], 12, 4)
        for k in range(cells)
        for side in (-1, 1)
    ]
    return frame, join(*rows)


def cepheus_target() -> dict[str, Solid]:
    """A drum on three bearings with two small panels and a plate to be gripped."""
    frame, cells = _panel(0.32, 0.08, 0.004, 4)
    boom = tube([0.03, 0.12, 0.32], [0.03, 0.2, 0.32], 0.006, count=8)
    marker = shaft_up(lathe([(-0.008, 0.001), (-0.005, 0.0065), (0, 0.008), (0.005, 0.0065), (0.008, 0.001)], 5))
    drum = [(-0.09, 0.132), (-0.084, 0.14), (0.084, 0.14), (0.09, 0.132)]
    rings = join(*(_plate(0.1425, height, 0.003) for height in (0.235, 0.3, 0.365)))
    return {
        "drum": move(shaft_up(lathe(drum, 24)), [0.01, 0, 0.3]),
        "rings": move(rings, [0.01, 0, 0]),
        "plates": move(_plate(0.14, 0.03), [0.01, 0, 0]),
        "posts": join(
            tube([0.12, 0, 0.03], [0.12, 0, 0.21], 0.006, count=8),
            both(tube([-0.045, 0.095, 0.03], [-0.045, 0.095, 0.21], 0.006, count=8)),
        ),
        "bearings": _round(_bearing(0.1)),
        "bottles": turn(move(_bottle(0.2, 0.035), [0, 0.01, 0.1]), "z", -90),
        "frames": both(join(boom, move(frame, [0.03, 0.14, 0.32]))),
        "cells": both(move(cells, [0.03, 0.14, 0.32])),
        "markers": join(*(move(marker, at) for at in ([0.1, 0.06, 0.398], [-0.06, 0.09, 0.398], [0.0, -0.1, 0.398]))),
        "interface": join(
            box([0.01, 0.05, 0.03], [-0.14, 0, 0.3], 8, 16), tube([-0.135, 0, 0.3], [-0.1, 0, 0.3], 0.02, count=14)
        ),
    }


def cepheus_cube() -> dict[str, Solid]:
    """A cube on a stilt and one wide bearing."""
    edges = [(y, z) for y in (-0.042, 0.042) for z in (-0.042, 0.042)]
    rods = [tube([-0.046, y, z], [0.046, y, z], 0.0035, count=6) for y, z in edges]
    frame = join(*rods, *(turn(rod, "z", 90) for rod in rods), *(turn(rod, "y", 90) for rod in rods))
    return {
        "cube": box([0.045, 0.045, 0.045], [0, 0, 0.3], 14, 20),
        "frame": move(frame, [0, 0, 0.3]),
        "stilt": tube([0, 0, 0.012], [0, 0, 0.256], 0.008, count=12),
        "bearing": shaft_up(lathe([(0.0, 0.05), (0.009, 0.05), (0.013, 0.04), (0.02, 0.012)], 24)),
    }


def servicer() -> dict[str, Solid]:
    """A bus in foil with panels, an engine, nozzles at its sides, an arm as long as it is wide."""
    frame, cells = _panel(3.2, 0.5, 0.015, 5)
    bell = lathe([(-1.18, 0.34), (-1.12, 0.31), (-1.0, 0.2), (-0.9, 0.12), (-0.84, 0.12)], 24)
    dish = move(
        lathe([(0.0, 0.02), (0.02, 0.18), (0.07, 0.30), (0.08, 0.30), (0.04, 0.17), (0.03, 0.01)], 24), [0, 0, 0]
    )
    return {
        "bus": box([0.85, 0.85, 0.75], power=16, count=24),
        "trim": both(
            join(
                tube([-0.84, 0.84, 0.74], [0.84, 0.84, 0.74], 0.025, count=8),
                tube([-0.84, 0.84, -0.74], [0.84, 0.84, -0.74], 0.025, count=8),
            )
        ),
        "frames": both(join(tube([-0.1, 0.8, 0], [-0.1, 1.05, 0], 0.05, count=12), move(frame, [-0.1, 1.0, 0]))),
        "cells": both(move(cells, [-0.1, 1.0, 0])),
        "engine": bell,
        "dish": move(turn(dish, "y", -90), [-0.3, 0, 0.78]),
        "nozzles": _nozzles(0.86, 0.0, 0.06),
        "mount": box([0.09, 0.16, 0.16], [0.9, 0, 0], 6, 16),
        "rotor": shaft_up(lathe([(-0.04, 0.2), (-0.03, 0.25), (0.03, 0.25), (0.04, 0.2)], 28)),
        "shoulder": _joint(0.13, 0.17),
        "upper": _link(0.11, 1.96, 0.065),
        "elbow": _joint(0.11, 0.145),
        "lower": _link(0.1, 1.81, 0.056),
        "wrist": _joint(0.085, 0.11),
        "sensor": lathe([(-0.04, 0.075), (-0.035, 0.085), (0.03, 0.085), (0.035, 0.075)], 20),
        "gripper": box([0.08, 0.06, 0.06], [0.1, 0, 0], 6, 16),
        "jaws": move(_jaws(0.12, 0.055, 0.012), [0.17, 0, 0]),
    }


def client() -> dict[str, Solid]:
    """A small satellite with two panels and a ring to be gripped."""
    frame, cells = _panel(1.8, 0.35, 0.012, 4)
    ring = [(-0.02, 0.36), (-0.02, 0.4), (0.03, 0.4), (0.03, 0.36)]
    return {
        "bus": box([0.5, 0.5, 0.5], [0.02, 0, 0], 16, 28),
        "ring": move(shaft_up(lathe(ring, 28)), [0.02, 0, 0.52]),
        "frames": both(join(tube([0.1, 0.48, 0], [0.1, 0.65, 0], 0.03, count=10), move(frame, [0.1, 0.6, 0]))),
        "cells": both(move(cells, [0.1, 0.6, 0])),
        "interface": join(
            box([0.05, 0.15, 0.15], [-0.53, 0, 0], 8, 18), tube([-0.575, 0, 0], [-0.5, 0, 0], 0.05, count=16)
        ),
        "antennas": join(
            tube([0.3, 0.3, 0.5], [0.3, 0.3, 0.95], 0.012, 0.004, 6),
            tube([0.3, -0.3, 0.5], [0.3, -0.3, 0.95], 0.012, 0.004, 6),
        ),
    }
