"""The Mecanum base and the birds."""

import numpy as np
from tools.looks.solids import (
    Section,
    Solid,
    Station,
    body,
    both,
    box,
    join,
    lathe,
    mirror,
    move,
    shaft_up,
    skin,
    tube,
    turn,
    wing,
)


def hub(radius: float = 0.1016, half_width: float = 0.04) -> Solid:
    """Plates and axle of a Mecanum wheel about y; the part draws its rollers."""
    rim = 0.80 * radius
    plate = lathe([(-0.0025, rim), (0.0025, rim)], 18)
    cap = lathe([(-half_width - 0.008, 0.020), (half_width + 0.008, 0.020)], 12)
    return turn(join(move(plate, [half_width, 0, 0]), move(plate, [-half_width, 0, 0]), cap), "z", 90)


def velma_base() -> dict[str, Solid]:
    """Two bodies on a hinge, four Mecanum wheels, two scanners."""
    fender = box([0.12, 0.035, 0.012], power=5, count=12)
    shell = box([0.355, 0.325, 0.068], [-0.081, 0, 0.026], 10, 28)
    nose = box([0.092, 0.325, 0.060], [0.1, 0, 0.022], 8, 28)
    return {
        "shell": shell,
        "skirt": box([0.345, 0.30, 0.020], [-0.081, 0, -0.048], 8, 20),
        "deck": box([0.325, 0.30, 0.005], [-0.081, 0, 0.0965], 10, 20),
        "rails": both(tube([-0.38, 0.285, 0.11], [0.21, 0.285, 0.11], 0.008, count=8)),
        "nose": nose,
        "bumper": join(
            box([0.012, 0.30, 0.018], [0.196, 0, -0.03], 6, 16), box([0.05, 0.30, 0.012], [0.1, 0, -0.045], 6, 16)
        ),
        "lamps": both(move(lathe([(0, 0.018), (0.006, 0.018), (0.008, 0.01)], 14), [0.19, 0.22, 0.03])),
        "fender": fender,
        "hub": hub(),
        "scanner": join(
            shaft_up(lathe([(-0.076, 0.050), (-0.06, 0.053), (0.015, 0.053), (0.018, 0.046)], 20)),
            shaft_up(lathe([(0.060, 0.046), (0.063, 0.051), (0.074, 0.049), (0.078, 0.03)], 20)),
        ),
        "window": shaft_up(lathe([(0.017, 0.046), (0.061, 0.046)], 20)),
    }


def _feathers(roots: list[tuple[float, float]], tips: list[tuple[float, float]], width: float, thick: float) -> Solid:
    """Long flat feathers in the x-y plane, each from a root to a tip [m], overlapping like tiles."""
    made = []
    for k, ((x0, y0), (x1, y1)) in enumerate(zip(roots, tips, strict=True)):
        way = np.array([x1 - x0, y1 - y0, 0.0])
        long = float(np.linalg.norm(way))
        side = np.array([-way[1], way[0], 0.0]) / long
        rings = []
        for part, size in ((0.0, 0.75), (0.55, 1.0), (0.85, 0.8), (1.0, 0.25)):
            middle = np.array([x0, y0, 0.0008 * k]) + part * way
            half, up = 0.5 * width * size * side, np.array([0, 0, thick])
            rings.append(np.array([middle - half, middle - up, middle + half, middle + up]))
        made.append(skin(rings))
    return join(*made)


def robird() -> dict[str, Solid]:
    """A falcon: long pointed wings, a short fanned tail."""
    trunk = [
        (0.165, 0.018, 0.022, 0.022),
        (0.13, 0.014, 0.036, 0.036),
        (0.06, 0.0, 0.052, 0.052),
        (-0.02, -0.004, 0.050, 0.048),
        (-0.1, 0.0, 0.036, 0.034),
        (-0.19, 0.008, 0.015, 0.013),
    ]
    breast = [
        (0.12, -0.006, 0.02, 0.015),
        (0.06, -0.020, 0.044, 0.038),
        (-0.02, -0.022, 0.042, 0.036),
        (-0.1, -0.012, 0.02, 0.02),
    ]
    head = [
        (0.232, 0.022, 0.006, 0.007),
        (0.218, 0.025, 0.024, 0.024),
        (0.19, 0.028, 0.037, 0.036),
        (0.155, 0.022, 0.036, 0.036),
        (0.12, 0.014, 0.03, 0.03),
    ]
    beak = [(0.228, 0.024, 0.010, 0.010), (0.24, 0.020, 0.007, 0.009), (0.250, 0.010, 0.001, 0.003)]
    arm = [
        Section(0.062, -0.01, 0.0, 0.11, 0.13),
        Section(0.075, 0.10, 0.004, 0.115, 0.10),
        Section(0.058, 0.24, 0.004, 0.09, 0.08),
        Section(0.02, 0.36, 0.0, 0.06, 0.07),
        Section(-0.03, 0.46, 0.0, 0.03, 0.07),
    ]
    arm_y = np.linspace(0.0, 0.26, 9)
    second = _feathers([(0.0, y) for y in arm_y], [(-0.138 + 0.05 * y, y + 0.012) for y in arm_y], 0.042, 0.0012)
    k = np.linspace(0, 1, 9)
    roots = [(0.0 - 0.045 * a, 0.26 + 0.19 * a) for a in k]
    ends = [(-0.135 + 0.0 * a - 0.02 * a * a, 0.285 + 0.245 * a**0.9) for a in k]
    first = _feathers(roots, ends, 0.032, 0.0010)
    fan = _feathers(
        [(0.01, 0.006 * j) for j in range(5)], [(-0.105 + 0.006 * j, 0.012 + 0.026 * j) for j in range(5)], 0.034, 0.001
    )
    eye = join(
        *(
            move(lathe([(-0.006, 0.001), (0, 0.006), (0.006, 0.001)], 8), [0.205, side * 0.031, 0.034])
            for side in (-1, 1)
        )
    )
    return {
        "trunk": body([Station(*one) for one in trunk]),
        "breast": body([Station(*one) for one in breast], 14),
        "head": body([Station(*one) for one in head], 14),
        "beak": body([Station(*one) for one in beak], 10),
        "eyes": eye,
        "left_arm": wing(arm, points=5),
        "right_arm": mirror(wing(arm, points=5)),
        "left_feathers": second,
        "right_feathers": mirror(second),
        "left_primaries": first,
        "right_primaries": mirror(first),
        "rump": body(
            [Station(0.02, 0, 0.014, 0.012), Station(-0.06, 0, 0.026, 0.010), Station(-0.115, 0, 0.022, 0.004)], 12
        ),
        "left_fan": fan,
        "right_fan": mirror(fan),
    }


GULL = ((0.0, 0.369, 0.0), (0.19, 0.378, 0.0), (0.402, 0.348, 0.0), (0.57, 0.326, -0.089))
GULL_HAND = (GULL[-1], (0.76, 0.262, -0.189), (0.855, 0.208, -0.239), (0.902, 0.143, -0.264), (0.931, 0.071, -0.279))
"""Place along the span, chord, quarter chord [m], as in its vehicle file."""


def gull() -> dict[str, Solid]:
    """A white gull: wide arms, pointed dark hands, a short fan."""
    trunk = [
        (0.28, 0.012, 0.03, 0.03),
        (0.2, 0.006, 0.052, 0.05),
        (0.08, 0.0, 0.072, 0.066),
        (-0.06, 0.0, 0.064, 0.056),
        (-0.2, 0.004, 0.042, 0.036),
        (-0.36, 0.01, 0.02, 0.014),
    ]
    head = [
        (0.375, 0.018, 0.012, 0.012),
        (0.345, 0.022, 0.038, 0.036),
        (0.3, 0.02, 0.046, 0.044),
        (0.25, 0.01, 0.04, 0.04),
    ]
    beak = [(0.37, 0.018, 0.014, 0.014), (0.405, 0.014, 0.009, 0.012), (0.43, 0.004, 0.002, 0.004)]
    arm, hand = (
        wing([Section(x + 0.25 * chord, y, 0.0, chord, thick) for y, chord, x in cuts], points=6)
        for cuts, thick in ((GULL, 0.1), (GULL_HAND, 0.06))
    )
    fan = wing([Section(0.04, 0.0, 0.0, 0.16, 0.03), Section(0.05, 0.2, 0.0, 0.20, 0.02)], points=4)
    eye = join(
        *(
            move(lathe([(-0.007, 0.001), (0, 0.007), (0.007, 0.001)], 8), [0.34, side * 0.036, 0.034])
            for side in (-1, 1)
        )
    )
    return {
        "trunk": body([Station(*one) for one in trunk]),
        "head": body([Station(*one) for one in head], 14),
        "beak": body([Station(*one) for one in beak], 10),
        "eyes": eye,
        "left_arm": arm,
        "right_arm": mirror(arm),
        "left_hand": hand,
        "right_hand": mirror(hand),
        "rump": body(
            [Station(0.02, 0, 0.03, 0.02), Station(-0.08, 0, 0.034, 0.014), Station(-0.15, 0, 0.03, 0.005)], 12
        ),
        "left_fan": fan,
        "right_fan": mirror(fan),
    }


def flapper() -> dict[str, Solid]:
    """Two membranes on spars, a gearbox on a stand."""
    sail = [
        Section(0.018, 0.0, 0, 0.072, 0.03),
        Section(0.018, 0.12, 0, 0.066, 0.03),
        Section(0.016, 0.17, 0, 0.05, 0.03),
        Section(0.010, 0.21, 0, 0.02, 0.03),
    ]
    spar = join(
        tube([0.018, 0, 0], [0.010, 0.212, 0], 0.0022, 0.0012, 6),
        *(tube([0.016, y, 0], [-0.046 + 0.1 * y, y + 0.01, 0], 0.0009, 0.0005, 5) for y in (0.04, 0.085, 0.13)),
    )
    return {
        "left_sail": wing(sail, points=4),
        "right_sail": mirror(wing(sail, points=4)),
        "left_spars": spar,
        "right_spars": mirror(spar),
        "gearbox": join(
            box([0.034, 0.012, 0.014], power=6, count=14), move(lathe([(-0.03, 0.01), (0.0, 0.01)], 12), [-0.03, 0, 0])
        ),
        "stand": join(
            tube([0, 0, -1], [0, 0, -0.012], 0.014, 0.009, 14),
            shaft_up(lathe([(-1.0, 0.09), (-0.985, 0.085), (-0.97, 0.02)], 20)),
        ),
    }
