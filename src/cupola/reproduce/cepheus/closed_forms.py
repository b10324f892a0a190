"""What of the Cepheus thesis (NTUA 2025) is closed form: the floating arm at one state, the path, the gains.

The thesis prints masses, lengths and equations. What they give at a state was worked out to six digits apart from this
code; a row is the largest difference of a group of such numbers from ours.
"""

from collections.abc import Iterable, Iterator, Sequence

from cupola.physics.impedance import contact_gains, settling_gains
from cupola.physics.quintic import quintic, quintic_coefficients
from cupola.physics.space_arm import LISTING, Coordinates, constants, directions, hand_pose
from cupola.physics.space_dynamics import coriolis, mass_matrix
from cupola.physics.space_task import Task, float_free, reduce, task_torques
from cupola.reproduce.row import Row, at_most, printed

THESIS = "Cepheus thesis 2025, {}"
HALF_DIGIT, ROUNDING = 5e-7, 1e-14
POSTURE = Coordinates(0.0, 0.0, 0.1, -1.0, 1.8, -0.7)
RATES = Coordinates(0.01, -0.02, 0.03, 0.05, -0.04, 0.06)
P = [13.5713, 0.22391025, 0.0, 0.5368501, 0.31256, 0.301907210625, 0.1934557249, 0.098783, 0.030408, 0.07650113925, 0.0]
P += [0.1156472, 0.0445398, 0.0, 0.15, 0.021375, 0.0, 0.0555, 0.04395]
HAND = (0.847935, 0.013511, 0.2)
H = [13.5713, 0.0, 0.123538, 0.145892, -0.274637, -0.029800, 13.5713, 0.897803, 0.675012, 0.341300, 0.147010]
H += [0.876848, 0.481308, 0.247619, 0.110466, 0.387675, 0.195320, 0.089197, 0.196421, 0.064023, 0.030408]
C = (-0.004117, 0.001982, 0.000913, 0.000573, 0.001306, 0.000273)
H_BAR = [0.278703, 0.002238, -0.013000, 0.003956, 0.002238, 1.242010, 0.134728, 0.004612]
H_BAR += [-0.013000, 0.134728, 1.343631, -0.240014, 0.003956, 0.004612, -0.240014, 0.056252]
C_BAR = (0.000130, 0.002368, 0.000722, -0.000071)
J_BAR = [1.0, -1.278868, -0.121170, 0.400038, 0.0, 1.730717, -3.908272, 2.177555]
J_BAR += [0.0, 2.174026, 0.533927, -2.707953, 0.0, -0.536055, -0.389921, 1.925976]
TORQUES, PUSHED = (-0.016443, -0.013417, -0.010887, -0.003311), (-0.008901, -0.011955, 0.134298, 0.026489)
QUINTIC = {12.5: (0.103515625, 0.02109375, 0.00225), 25.0: (0.5, 0.0375, 0.0)}
QUINTIC[37.5] = (0.896484375, 0.02109375, -0.00225)


def rows(full: bool) -> Iterator[Row]:
    """The arm, then path and gains."""
    yield from _arm()
    yield from _path()
    yield from _gains()


def _arm() -> Iterator[Row]:
    """With the listing's numbers, at one posture and its rates."""
    code, law = "appendix C.1", "eq. 2.58 to 2.61"
    p = constants(LISTING)
    d, f = directions(POSTURE, p), float_free(POSTURE, RATES, p)
    r, u = reduce(f), Task(0.001, 0.01, -0.02, 0.005)
    nothing, push = Task(0.0, 0.0, 0.0, 0.0), Task(0.0, -0.5, 0.0, 0.0)
    yield _largest("constants", code, "p1 to p19", P, p[:19], ROUNDING)
    yield _largest("hand", code, "pose of the hand", HAND, hand_pose(POSTURE, p))
    yield _largest("mass_matrix", code, "H", H, mass_matrix(d, p))
    yield _largest("coriolis", code, "c", C, coriolis(d, RATES, p))
    yield _largest("reduced_mass", code, "H̄", H_BAR, (x for row in r[:4] for x in row))
    yield _largest("reduced_coriolis", code, "c̄", C_BAR, r.bias)
    yield _largest("torque_map", code, "J̄", J_BAR, (x for row in r[5:] for x in row))
    yield _largest("torques", law, "torques, nothing touched", TORQUES, task_torques(f, u, nothing))
    yield _largest("torques_pushed", law, "torques, 0.5 N on the hand", PUSHED, task_torques(f, u, push))


def _path() -> Iterator[Row]:
    """From rest to rest in 50 s."""
    source = "eq. 2.4, 50 s"
    for time, values in QUINTIC.items():
        yield _largest(f"quintic_{time:g}", source, f"path at {time:g} s", values, quintic(time, 50.0), ROUNDING)
    yield _largest("coefficients", source, "a3, a4, a5", (8e-5, -2.4e-6, 1.92e-8), quintic_coefficients(50.0), 1e-18)


def _gains() -> Iterator[Row]:
    """Of the listing, for 50 s."""
    source = "appendix C.1, 50 s"
    free = settling_gains(1.0, 10.0)
    contact = contact_gains(free, 100.0, 1e6, 0.0)
    yield _largest("free_gains", source, "m, b, k free", (1.0, 1.2, 0.36), free, ROUNDING)
    yield printed("cepheus_contact_mass", THESIS.format(source), "m in contact", "1.0001", contact.mass, "kg")
    yield printed("cepheus_contact_damping", THESIS.format(source), "b in contact", "1.2001", contact.damping, "N s/m")


def _largest(
    key: str, source: str, what: str, published: Sequence[float], ours: Iterable[float], bound: float = HALF_DIGIT
) -> Row:
    off = max(abs(a - b) for a, b in zip(published, ours, strict=True))
    return at_most(f"cepheus_{key}", THESIS.format(source), f"{what}, largest difference", bound, off)
