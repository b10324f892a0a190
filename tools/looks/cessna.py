"""A Cessna 172."""

from itertools import pairwise

from tools.looks.solids import (
    Section,
    Solid,
    Station,
    body,
    both,
    join,
    lathe,
    mirror,
    move,
    propeller,
    round_tip,
    tube,
    upright,
    wing,
)


def cessna() -> dict[str, Solid]:
    """Sizes of its README; surfaces are about their hinges."""
    hull = [
        (1.86, -0.25, 0.27, 0.20, 2.6),
        (1.72, -0.26, 0.40, 0.29, 2.8),
        (1.2, -0.27, 0.50, 0.35, 3.2),
        (0.75, -0.29, 0.52, 0.40, 3.4),
        (0.2, -0.30, 0.54, 0.42, 3.6),
        (-0.7, -0.27, 0.53, 0.40, 3.4),
        (-1.4, -0.18, 0.42, 0.36, 3.0),
        (-2.6, -0.07, 0.27, 0.28, 2.6),
        (-3.9, 0.02, 0.14, 0.18, 2.3),
        (-4.95, 0.08, 0.05, 0.10, 2.0),
    ]
    cabin = [
        (1.02, 0.05, 0.40, 0.05),
        (0.86, 0.14, 0.45, 0.20),
        (0.52, 0.28, 0.46, 0.36),
        (-0.5, 0.30, 0.46, 0.36),
        (-1.0, 0.24, 0.36, 0.30),
        (-1.75, 0.10, 0.22, 0.10),
    ]
    roof = [(0.50, 0.60, 0.35, 0.05), (0.3, 0.61, 0.47, 0.09), (-0.7, 0.61, 0.47, 0.09), (-1.35, 0.42, 0.28, 0.06)]
    post = [
        tube([0.05, 0.50, -0.05], [0.05, 0.44, 0.60], 0.04, count=6),
        tube([-0.62, 0.50, -0.05], [-0.62, 0.43, 0.60], 0.06, count=6),
    ]
    inner = [Section(0.72, 0.0, 0.62, 1.63, 0.13), Section(0.72, 2.90, 0.70, 1.63, 0.13)]
    outer = [Section(0.72, 2.90, 0.70, 1.63, 0.13), Section(0.60, 5.25, 0.775, 1.13, 0.12)]
    flap = [Section(0.72, 0.58, 0.636, 1.63, 0.13), inner[1]]
    root = [inner[0], flap[0]]
    tip = round_tip(outer, 0.22)[1:]
    tail = round_tip([Section(-4.18, 0.0, 0.05, 1.18, 0.09), Section(-4.40, 1.58, 0.05, 0.82, 0.09)], 0.14)
    fin = round_tip([Section(-4.05, 0.0, 0.0, 1.42, 0.09), Section(-4.98, 1.42, 0.0, 0.78, 0.09)], 0.10)
    dorsal = upright(wing([Section(-2.75, 0.0, 0.0, 1.9, 0.05), Section(-4.10, 0.42, 0.0, 0.6, 0.08)]))
    fairing = body(
        [
            Station(0.34, 0.02, 0.02, 0.03),
            Station(0.22, 0.03, 0.10, 0.14),
            Station(0.0, 0.02, 0.125, 0.19),
            Station(-0.25, 0.03, 0.10, 0.13),
            Station(-0.55, 0.05, 0.01, 0.02),
        ],
        14,
    )
    spinner = [(-0.10, 0.17), (0.05, 0.16), (0.20, 0.10), (0.28, 0.02)]
    line = [(1.70, 0.405), (1.2, 0.503), (0.2, 0.542), (-0.7, 0.532), (-1.4, 0.423), (-2.6, 0.272), (-3.9, 0.143)]
    sides = [
        tube([a, y, -0.16 + 0.045 * k], [b, z, -0.16 + 0.045 * (k + 1)], 0.035, count=6)
        for k, ((a, y), (b, z)) in enumerate(pairwise(line))
    ]
    return {
        "hull": body([Station(*one) for one in hull], 22),
        "cabin": body([Station(*one, 3.4) for one in cabin], 20),
        "roof": join(body([Station(*one, 3.0) for one in roof], 16), both(join(*post))),
        "stripes": both(join(*sides)),
        "wing": both(join(wing(root), wing(flap, end=0.70), wing(outer, end=0.74), wing(tip))),
        "struts": both(tube([0.25, 0.52, -0.48], [0.18, 2.55, 0.62], 0.055, 0.045, 8)),
        "left_flap": move(wing(flap, start=0.72), [0.44, -1.70, -0.63]),
        "right_flap": move(mirror(wing(flap, start=0.72)), [0.44, 1.70, -0.63]),
        "left_aileron": move(wing(outer, start=0.76), [0.36, -4.05, -0.70]),
        "right_aileron": move(mirror(wing(outer, start=0.76)), [0.36, 4.05, -0.70]),
        "tail": join(both(wing(tail, end=0.62)), dorsal, move(upright(wing(fin, end=0.62)), [0, 0, 0.05])),
        "elevator": move(both(wing(tail, start=0.64)), [4.91, 0, -0.05]),
        "rudder": move(upright(wing(fin, start=0.64)), [5.02, 0, -0.55]),
        "spinner": move(lathe(spinner, 16), [2.0, 0, -0.2515]),
        "propeller": propeller(0.9525, 0.15, hub=0.10),
        "fairing": move(fairing, [0, 0, 0.07]),
        "nose_fairing": Solid(0.8 * fairing.vertices + [0, 0, 0.05], fairing.faces),
    }
