"""Quadcopter, hexacopter, Crazyflie."""

from tools.looks.solids import Solid, Station, body, box, join, lathe, move, propeller, shaft_up, tube, turn


def quadcopter() -> dict[str, Solid]:
    """Four arms of 0.29 m."""
    return _copter([45, 135, 225, 315], 0.29, 0.010, 0.024, long=0.085)


def hexacopter() -> dict[str, Solid]:
    """Six arms of 0.29 m."""
    return _copter([0, 60, 120, 180, 240, 300], 0.29, 0.005, 0.0165, long=0.075)


def _copter(arms: list[int], reach: float, seat: float, top: float, long: float) -> dict[str, Solid]:
    """Arms at angles [degrees], motors from height `seat` to `top` [m]; the front is at x."""
    hull = [
        (1.0, 0.16, 0.5),
        (0.9, 0.55, 0.8),
        (0.55, 0.9, 1),
        (0, 1, 1),
        (-0.6, 0.86, 1),
        (-0.93, 0.5, 0.75),
        (-1, 0.2, 0.5),
    ]
    canopy = [
        (0.72, 0.2, 0.3),
        (0.55, 0.5, 0.62),
        (0.2, 0.72, 1),
        (-0.25, 0.7, 0.95),
        (-0.62, 0.45, 0.5),
        (-0.75, 0.2, 0.2),
    ]
    arm = join(tube([0.03, 0, 0], [reach, 0, 0], 0.0095, 0.0065), move(_stand(0.0150, -0.008, seat), [reach, 0, 0]))
    motor = move(_stand(0.0125, seat, top - 0.002, rim=0.0135), [reach, 0, 0])
    return {
        "hull": body([Station(long * x, 0.0, 0.052 * w, 0.0155 * h, 2.6) for x, w, h in hull]),
        "canopy": body([Station(long * x, 0.012, 0.048 * w, 0.024 * h, 2.3) for x, w, h in canopy], 16),
        "arms": join(*(turn(arm, "z", angle) for angle in arms)),
        "motors": join(*(turn(motor, "z", angle) for angle in arms)),
        "eye": join(
            move(lathe([(0, 0.0075), (0.006, 0.0075), (0.0065, 0.004)], 12), [0.88 * long, 0, 0.004]),
            box([0.004, 0.020, 0.003], [-0.93 * long, 0, 0.004], count=12),
        ),
        "propeller": shaft_up(propeller(0.075, 0.017, hub=0.16)),
        "propeller_left": shaft_up(turn_over(propeller(0.075, 0.017, hub=0.16))),
    }


def turn_over(blades: Solid) -> Solid:
    """A propeller for the other direction."""
    return Solid(blades.vertices * [1, -1, 1], blades.faces[:, ::-1])


def _stand(radius: float, low: float, high: float, rim: float = 0.0) -> Solid:
    """A round can about z."""
    middle = 0.5 * (low + high)
    profile = [(low, radius), (middle, rim or radius), (high, rim or radius), (high + 0.1 * (high - low), 0.6 * radius)]
    return shaft_up(lathe(profile, 14))


def crazyflie() -> dict[str, Solid]:
    """A board with four arms, its battery on top."""
    arm = join(box([0.017, 0.0024, 0.0008], [0.026, 0, 0], 8, 8), move(_stand(0.0044, -0.0035, 0.0035), [0.043, 0, 0]))
    motor = move(_stand(0.0035, -0.008, 0.0075), [0.043, 0, 0])
    angles = (45, 135, 225, 315)
    pins = [box([0.0008, 0.008, 0.004], [x, 0, 0.004], 8, 8) for x in (-0.0155, 0.0155)]
    return {
        "board": join(box([0.0155, 0.0155, 0.0008], power=6, count=16), *(turn(arm, "z", a) for a in angles)),
        "battery": box([0.014, 0.0095, 0.0034], [0, 0, 0.005], 6, 16),
        "pins": join(*pins),
        "motors": join(*(turn(motor, "z", angle) for angle in angles)),
        "propeller": shaft_up(propeller(0.0225, 0.006, hub=0.14)),
        "propeller_left": shaft_up(turn_over(propeller(0.0225, 0.006, hub=0.14))),
        "wedge": move(turn(lathe([(0, 0.0035), (0.004, 0.0001)], 3), "z", 0), [0.0105, 0, 0.0088]),
    }
