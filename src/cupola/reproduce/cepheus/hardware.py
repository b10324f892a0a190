"""The thesis's experiment on the emulator: geared motors with friction, motion capture with noise, its filters.

It begins where an operator begins, with encoders that know nothing: homing, start posture, approach, grip. As there, it
stays with the gains of free motion and does not push: with these filters contact is a tenth of a second late.
"""

import math
from collections.abc import Iterator

import numpy as np

from cupola.reproduce.cepheus.run import Meeting, Run, fly, meet, or_never
from cupola.reproduce.row import Row

SECTION = "Cepheus thesis 2025, section 5.3"


def emulated() -> Run:
    """The whole session of the scenario `cepheus_hardware`, 5 s of rest at its end."""
    return fly(meet(Meeting("cepheus_hardware")), 120.0, after=5.0)


def rows(full: bool) -> Iterator[Row]:
    """Base, grip, arm."""
    run = emulated()
    base = math.degrees(float(abs(run.base[:, 0]).max()))
    what = "attitude of the base, homing included"
    yield Row("cepheus_hardware_base", SECTION, what, 2.0, base, "°", "≤ 2", base <= 2.0)
    apart, moved, bent, turned = math.inf, math.inf, math.inf, math.inf
    if run.state[-1] == "end":
        rest, gripping = (run.during(run.when(state), math.inf) for state in ("end", "hard grip"))
        apart = 1e3 * float(np.ptp(rest.hand - rest.target, axis=0)[:2].max())
        moved = 1e3 * float(np.ptp(gripping.hand, axis=0)[:2].max())
        bent = math.degrees(float(np.ptp(gripping.joints, axis=0).max()))
        turned = math.degrees(float(np.ptp(gripping.base[:, 0])))
    what = "gripped; hand against target then"
    yield Row("cepheus_hardware_grip", SECTION, what, 0.0, or_never(apart), "mm", "≤ 1", apart <= 1.0)
    what = "largest motion of a joint while it grips hard and after: the arm stays fixed"
    yield Row("cepheus_hardware_arm", SECTION, what, 0.0, or_never(bent), "°", "≤ 1", bent <= 1.0)
    what = "attitude of the base, from one end to the other, meanwhile"
    yield Row("cepheus_hardware_attitude", SECTION, what, 0.0, or_never(turned), "°", "≤ 1", turned <= 1.0)
    what = "motion of the hand meanwhile, with the base that floats"
    yield Row("cepheus_hardware_still", SECTION, what, 0.0, or_never(moved), "mm", "≤ 10", moved <= 10.0)
