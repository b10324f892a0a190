"""AdvancedLiftDrag's example aircraft: coefficients over the angle of attack, and the moment that gz-sim loses.

Values derived from the formulas of gz-sim with its moment put right.
"""

import math

import numpy as np
import pytest

from cupola.physics.advanced_liftdrag import Advanced, Six, advanced_coefficients, advanced_flow, advanced_wrench
from cupola.physics.airfoil import stall_blend
from cupola.physics.rotation import Vector

PLANE = Advanced(
    area=0.34, mac=0.22, ar=6.5, eff=0.97, alpha_stall=0.3391428111,
    cl0=0.15188, cla=5.015, cd0=0.029, cem0=0.075, cema=-0.463966, cyb=-0.258244, cellb=-0.039250, cenb=0.100826,
    cyp=0.065861, cellp=-0.487407, cenp=-0.040416, cdq=0.055166, clq=7.971792, cemq=-12.140140,
    cyr=0.230299, cellr=0.078165, cenr=-0.089947,
)  # fmt: skip
NONE = Six(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
STILL = Vector(0.0, 0.0, 0.0)
DENSITY, SPEED = 1.2041, 15.0


def at(alpha, beta=0.0):
    return advanced_flow(Vector(SPEED * math.cos(alpha), SPEED * math.tan(beta), SPEED * math.sin(alpha)))


@pytest.mark.parametrize(
    ("alpha", "blend", "lift", "drag", "moment", "newton_lift", "newton_drag", "newton_metre"),
    [
        (-0.50, 0.91780282, -0.56388780, 0.30976581, 0.23235073, -25.970882, 14.266830, 2.354294),
        (-0.20, 0.11062628, -0.76552241, 0.05843940, 0.16779320, -35.257532, 2.691533, 1.700165),
        (-0.05, 0.01577626, -0.09738892, 0.02907094, 0.09819830, -4.485424, 1.338915, 0.994994),
        (0.00, 0.01223781, 0.15002132, 0.02976744, 0.07500000, 6.909506, 1.370994, 0.759938),
        (0.05, 0.01577626, 0.39635672, 0.03640571, 0.05180170, 18.254932, 1.676732, 0.524881),
        (0.10, 0.02827093, 0.63546906, 0.04839961, 0.02860340, 29.267687, 2.229132, 0.289824),
        (0.20, 0.11062628, 1.03567857, 0.08028814, -0.01779320, 47.700067, 3.697817, -0.180290),
        (0.50, 0.91780282, 0.58885601, 0.30988525, -0.08235073, 27.120838, 14.272331, -0.834419),
        (1.00, 0.99995047, 0.76536542, 1.02725096, -0.08235073, 35.250301, 47.311918, -0.834419),
    ],
)
def test_derived_values(alpha, blend, lift, drag, moment, newton_lift, newton_drag, newton_metre):
    flow = at(alpha)
    c = advanced_coefficients(flow, NONE, PLANE)
    assert stall_blend(alpha, PLANE.alpha_stall, PLANE.mcoeff) == pytest.approx(blend, abs=5.1e-9)
    assert (c.cl, c.cd, c.cem) == pytest.approx((lift, drag, moment), abs=5.1e-9)
    load = advanced_wrench(flow, c, STILL, DENSITY, PLANE)
    forward, up = load.force.x, -load.force.z
    assert up * math.cos(alpha) + forward * math.sin(alpha) == pytest.approx(newton_lift, abs=1e-6)
    assert up * math.sin(alpha) - forward * math.cos(alpha) == pytest.approx(newton_drag, abs=1e-6)
    assert load.torque == pytest.approx((0.0, newton_metre, 0.0), abs=1e-6)


def test_the_pitching_moment_keeps_its_slope_and_the_sideslip_adds():
    moments = [advanced_coefficients(at(a), NONE, PLANE).cem for a in (-0.2, 0.0, 0.2)]
    assert (moments[2] - moments[0]) / 0.4 == pytest.approx(PLANE.cema) and moments[1] == PLANE.cem0
    slipping = at(0.1, 0.2)
    slipped = advanced_coefficients(slipping, NONE, PLANE._replace(cemb=0.3)).cem
    assert slipped == pytest.approx(PLANE.cem0 + 0.1 * PLANE.cema + 0.3 * slipping.beta) and slipping.beta > 0.19


def test_everything_is_finite_at_zero_and_at_rest():
    for vel in (STILL, Vector(15.0, 0.0, 0.0), Vector(-15.0, 0.0, 0.0)):
        flow = advanced_flow(vel)
        c = advanced_coefficients(flow, NONE, PLANE)
        assert np.isfinite([*c, *advanced_wrench(flow, c, STILL, DENSITY, PLANE).force]).all()


def test_sideslip_is_stable_and_rates_are_damped():
    c = advanced_coefficients(at(0.0, 0.1), NONE, PLANE)
    assert c.cy < 0.0 < c.cen and c.cell < 0.0  # pushed back, nose into the wind, wing away from it
    span = math.sqrt(0.34 * 6.5)
    flow = at(0.0)
    rolling = advanced_wrench(flow, NONE, Vector(2.0, 0.0, 0.0), DENSITY, PLANE).torque
    by_the_book = 0.5 * DENSITY * SPEED**2 * 0.34 * span * PLANE.cellp * (2.0 * span / (2.0 * SPEED))
    assert rolling.x == pytest.approx(by_the_book)
    pitching = advanced_wrench(flow, NONE, Vector(0.0, 1.0, 0.0), DENSITY, PLANE)
    assert pitching.torque.y < 0.0 and pitching.force.z < 0.0


def test_controls_add_to_all_six():
    elevator = Six(0.0157, 0.0, 0.6128, 0.0, -1.478, 0.0)
    moved, still = advanced_coefficients(at(0.0), elevator, PLANE), advanced_coefficients(at(0.0), NONE, PLANE)
    assert moved.cem - still.cem == pytest.approx(-1.478) and moved.cl - still.cl == pytest.approx(0.6128)
    induced = (1.0 - stall_blend(0.0, PLANE.alpha_stall, 15.0)) * (moved.cl**2 - still.cl**2) / (math.pi * 6.5 * 0.97)
    assert moved.cd - still.cd == pytest.approx(0.0157 + induced)
