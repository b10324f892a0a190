"""The planes of Last_letter_2, the Aerosonde, the quadplane, the plane that morphs."""

from tools.looks.multirotors import turn_over
from tools.looks.solids import (
    Section,
    Solid,
    Station,
    body,
    both,
    hinged,
    join,
    lathe,
    mirror,
    move,
    propeller,
    round_tip,
    shaft_up,
    tube,
    turn,
    upright,
    wing,
)


def _fuselage() -> Solid:
    """A metre long, 0.28 m high; the tail is drawn in."""
    return body(
        [
            Station(0.52, 0.0, 0.045, 0.045),
            Station(0.50, 0.0, 0.075, 0.078),
            Station(0.44, 0.0, 0.105, 0.112),
            Station(0.30, 0.0, 0.128, 0.134, 2.4),
            Station(0.05, 0.0, 0.130, 0.138, 2.5),
            Station(-0.20, 0.02, 0.098, 0.108, 2.3),
            Station(-0.40, 0.035, 0.055, 0.066),
            Station(-0.56, 0.045, 0.022, 0.030),
        ]
    )


def _canopy() -> Solid:
    stations = [
        (0.30, 0.10, 0.02, 0.01),
        (0.24, 0.115, 0.075, 0.045),
        (0.12, 0.125, 0.09, 0.075),
        (-0.02, 0.125, 0.085, 0.072),
        (-0.14, 0.11, 0.06, 0.045),
        (-0.24, 0.10, 0.02, 0.01),
    ]
    return body([Station(*one, 2.2) for one in stations], 16)


def _gear() -> Solid:
    """Legs to the wheels, and one to the tail wheel."""
    leg = join(
        tube([0.30, 0.05, -0.11], [0.30, 0.245, -0.14], 0.010, 0.007, 8),
        tube([0.3, 0.235, -0.14], [0.3, 0.262, -0.14], 0.006, count=8),
    )
    return join(both(leg), tube([-0.38, 0, -0.01], [-0.40, 0, -0.125], 0.008, 0.006, 8))


def _surfaces(chord: float = 0.15, span: float = 1.0) -> dict[str, Solid]:
    """Wing and tail; the parts that move are solids of their own, about their hinge."""
    inner = [Section(0.075, 0.0, 0.0, chord, 0.15), Section(0.075, 0.55 * span, 0.0, chord, 0.14)]
    outer = [Section(0.075, 0.55 * span, 0.0, chord, 0.14), Section(0.075, 0.92 * span, 0.0, chord, 0.13)]
    tip = round_tip([outer[0], outer[1]], 0.08 * span)[1:]
    tail = round_tip([Section(-0.40, 0.0, 0.02, 0.12, 0.09), Section(-0.42, 0.34, 0.02, 0.10, 0.09)], 0.06)
    fin = round_tip([Section(-0.36, 0.0, 0.0, 0.17, 0.09), Section(-0.43, 0.25, 0.0, 0.10, 0.09)], 0.04)
    hinge = 0.075 - 0.72 * chord
    return {
        "wing": both(join(wing(inner), wing(outer, end=0.72), wing(tip))),
        "left_aileron": move(wing(outer, start=0.74), [-hinge, 0, 0]),
        "right_aileron": move(mirror(wing(outer, start=0.74)), [-hinge, 0, 0]),
        "tail": join(both(wing(tail, end=0.66)), move(upright(wing(fin, end=0.64)), [0, 0, 0.05])),
        "elevator": move(both(wing(tail, start=0.68)), [0.49, 0, -0.02]),
        "rudder": move(upright(wing(fin, start=0.66)), [0.48, 0, 0.05]),
    }


def plane() -> dict[str, Solid]:
    """One motor in the nose."""
    spinner = [(-0.012, 0.043), (0.01, 0.040), (0.04, 0.026), (0.058, 0.006)]
    return {
        "fuselage": _fuselage(),
        "canopy": _canopy(),
        "gear": _gear(),
        **_surfaces(),
        "spinner": move(lathe(spinner, 14), [0.535, 0, 0]),
        "propeller": propeller(0.13, 0.028, hub=0.12),
    }


def twin() -> dict[str, Solid]:
    """Two motors on the wing."""
    pod = [(0.105, 0.018), (0.085, 0.030), (0.02, 0.040), (-0.07, 0.032), (-0.14, 0.006)]
    nose = lathe([(0.575, 0.005), (0.565, 0.025), (0.54, 0.045), (0.515, 0.055)], 16)
    return {
        "fuselage": join(_fuselage(), nose),
        "canopy": _canopy(),
        "gear": _gear(),
        **_surfaces(),
        "pods": both(move(lathe(pod[::-1], 14), [0, 0.6, 0])),
        "propeller": propeller(0.13, 0.028, hub=0.14),
        "propeller_left": turn_over(propeller(0.13, 0.028, hub=0.14)),
    }


def aerosonde() -> dict[str, Solid]:
    """Long thin wing, two booms, an inverted V, a pusher."""
    hull = [
        (0.58, 0.0, 0.012, 0.012),
        (0.54, 0.0, 0.05, 0.05),
        (0.42, 0.0, 0.085, 0.082),
        (0.15, 0.01, 0.092, 0.095),
        (-0.2, 0.015, 0.09, 0.09),
        (-0.42, 0.005, 0.075, 0.07),
        (-0.53, 0.0, 0.045, 0.045),
    ]
    half = [
        Section(0.095, 0.0, 0.082, 0.205, 0.14),
        Section(0.085, 0.7, 0.086, 0.19, 0.13),
        Section(0.06, 1.36, 0.09, 0.14, 0.12),
    ]
    stays, aileron, _ = hinged(half[1:], 0.74)
    booms = tube([0.03, 0.3, 0.075], [-1.18, 0.3, 0.085], 0.013, 0.010)
    panel = turn(wing([Section(0.07, 0, 0, 0.15, 0.09), Section(0.06, 0.42, 0, 0.13, 0.09)]), "x", 45)
    mast = body(
        [
            Station(0.10, 0.085, 0.01, 0.008),
            Station(0.04, 0.085, 0.035, 0.03),
            Station(-0.1, 0.085, 0.03, 0.025),
            Station(-0.16, 0.085, 0.01, 0.008),
        ],
        12,
    )
    return {
        "hull": body([Station(*one, 2.3) for one in hull]),
        "eye": move(lathe([(-0.03, 0.04), (0.0, 0.038), (0.03, 0.018), (0.034, 0.004)], 14), [0.53, 0, -0.035]),
        "wing": both(join(wing(half[:2]), stays, wing(round_tip(half, 0.09)[2:]))),
        "left_aileron": aileron,
        "right_aileron": mirror(aileron),
        "mast": mast,
        "booms": both(booms),
        "tail": both(move(mirror(panel), [-1.08, 0.305, 0.085])),
        "propeller": propeller(0.254, 0.04, hub=0.1),
    }


def vtol() -> dict[str, Solid]:
    """A wing, a tail between two booms, four rotors that lift and one that pushes."""
    hull = [
        (0.49, -0.01, 0.01, 0.01),
        (0.46, -0.008, 0.035, 0.032),
        (0.38, 0.0, 0.058, 0.056),
        (0.22, 0.008, 0.07, 0.072),
        (0.0, 0.01, 0.07, 0.072),
        (-0.2, 0.006, 0.06, 0.06),
        (-0.33, 0.0, 0.035, 0.035),
        (-0.36, 0.0, 0.02, 0.02),
    ]
    glass = [
        (0.40, 0.045, 0.01, 0.008),
        (0.34, 0.05, 0.038, 0.026),
        (0.2, 0.06, 0.05, 0.034),
        (0.05, 0.06, 0.045, 0.03),
        (-0.03, 0.06, 0.015, 0.01),
    ]
    half = [
        Section(0.062, 0.0, 0.035, 0.25, 0.14, 0.087),
        Section(0.055, 0.5, 0.06, 0.24, 0.13, 0.087),
        Section(0.03, 1.02, 0.088, 0.17, 0.12, 0.07),
    ]
    boom = tube([0.42, 0.35, 0.01], [-0.89, 0.35, 0.01], 0.016, 0.012)
    cap = move(lathe([(0, 0.016), (0.03, 0.011), (0.038, 0.003)], 10), [0.42, 0.35, 0.01])
    pod = shaft_up(lathe([(-0.04, 0.012), (-0.018, 0.021), (0.018, 0.022), (0.021, 0.014)], 14))
    outer, aileron, _ = hinged(half[1:], 0.74)
    upper = round_tip([Section(-0.74, 0.0, 0, 0.15, 0.1), Section(-0.80, 0.23, 0, 0.10, 0.1)], 0.03)
    fin, rudder, _ = hinged(upper, 0.6)
    tail, elevator, _ = hinged([Section(-0.77, 0.0, 0.02, 0.125, 0.1), Section(-0.77, 0.335, 0.02, 0.125, 0.1)], 0.6)
    beside = move(upright(fin), [0, 0.35, 0.01])
    leg = [tube([x, 0.35, 0.0], [x * 1.06, 0.35, -0.2], 0.007, 0.006, 8) for x in (0.25, -0.25)]
    skid = [
        tube([0.37, 0.35, -0.2], [-0.37, 0.35, -0.2], 0.0095, count=8),
        tube([0.37, 0.35, -0.2], [0.42, 0.35, -0.175], 0.0095, 0.004, 8),
    ]
    motors = [move(pod, [x, 0.35, 0.045]) for x in (0.35, -0.35)]
    return {
        "hull": body([Station(*one, 2.3) for one in hull]),
        "glass": body([Station(*one, 2.2) for one in glass], 16),
        "wing": both(wing(half[:2])),
        "tips": both(join(outer, wing(round_tip(half[1:], 0.06)[1:]))),
        "left_aileron": aileron,
        "right_aileron": mirror(aileron),
        "booms": both(join(boom, cap, *leg, *skid)),
        "motors": join(
            both(join(*motors)), move(lathe([(-0.03, 0.012), (-0.02, 0.022), (0.03, 0.022)], 14), [-0.37, 0, 0])
        ),
        "tail": both(join(tail, beside)),
        "elevator": join(elevator, move(mirror(elevator), [0, -0.335, 0])),
        "rudder": upright(rudder),
        "rotor": shaft_up(propeller(0.165, 0.030, hub=0.10)),
        "rotor_left": shaft_up(turn_over(propeller(0.165, 0.030, hub=0.10))),
        "pusher": propeller(0.152, 0.028, hub=0.12),
    }


def morphing_uav() -> dict[str, Solid]:
    """Wings with tips that slide out of them; a wing's solid begins at its root."""
    hull = [
        (0.52, 0.0, 0.03, 0.03),
        (0.49, 0.0, 0.046, 0.046),
        (0.36, 0.0, 0.06, 0.064),
        (0.1, 0.008, 0.062, 0.07),
        (-0.2, 0.012, 0.05, 0.056),
        (-0.42, 0.01, 0.025, 0.028),
        (-0.88, 0.02, 0.013, 0.014),
    ]
    glass = [
        (0.30, 0.05, 0.01, 0.006),
        (0.24, 0.055, 0.035, 0.024),
        (0.14, 0.064, 0.042, 0.03),
        (0.06, 0.064, 0.02, 0.015),
    ]
    fixed = [Section(0.05, -0.06, 0, 0.2, 0.12), Section(0.05, 0.74, 0, 0.2, 0.12)]
    tip = round_tip([Section(0.094, -0.29, 0, 0.185, 0.09), Section(0.094, 0.23, 0, 0.185, 0.09)], 0.06)
    tail = round_tip([Section(-0.785, 0, 0.02, 0.115, 0.09), Section(-0.795, 0.23, 0.02, 0.1, 0.09)], 0.04)
    fin = round_tip([Section(-0.77, 0, 0, 0.15, 0.09), Section(-0.82, 0.17, 0, 0.09, 0.09)], 0.03)
    middle, end = (Section(0.05, y, 0, 0.2, 0.12) for y in (0.36, 0.72))
    stays, aileron, _ = hinged([middle, end], 0.74)
    inboard = join(wing([fixed[0], middle]), stays, wing([end, fixed[1]]))
    level, elevator, _ = hinged(tail, 0.6)
    post, rudder, _ = hinged(fin, 0.6)
    return {
        "hull": body([Station(*one, 2.3) for one in hull]),
        "glass": body([Station(*one, 2.2) for one in glass], 14),
        "left_wing": inboard,
        "right_wing": mirror(inboard),
        "left_aileron": aileron,
        "right_aileron": mirror(aileron),
        "left_tip": wing(tip),
        "right_tip": mirror(wing(tip)),
        "tail": both(level),
        "fin": move(upright(post), [0, 0, 0.03]),
        "elevator": elevator,
        "right_elevator": mirror(elevator),
        "rudder": upright(rudder),
        "spinner": move(lathe([(-0.015, 0.03), (0.01, 0.024), (0.03, 0.005)], 12), [0.53, 0, 0]),
        "propeller": propeller(0.14, 0.028, hub=0.1),
    }
