"""`theory: delaurier` in the loop: the same strips as outside it, which know that their motion is harmonic."""

import math

import numpy as np
import pytest

from cupola.physics.delaurier import FlappingMotion, FlappingStrip, flapping_load, scherer
from cupola.schema.yaml_files import InputError

DENSITY, SPEED, SPAN, CHORD, RATIO = 1.2, 10.0, 0.5, 0.1, 6.0
STRIPS = 4
INCIDENCE, CAMBER = 0.05, 0.02
"""[rad] of the chord and, by camber, of the line without lift."""
OMEGA, FLAP = 60.0, 0.05
"""[rad/s], [rad]: reduced frequency 0.3."""
SECTION = {"alpha_0": -CAMBER, "c_friction": 0.01, "suction": 0.9, "alpha_stall": 0.6}
PLATE = [{"y": y, "chord": CHORD, "incidence": INCIDENCE} for y in (0.0, SPAN)]
WING = {
    "kind": "wing",
    "site": "hinge",
    "theory": "delaurier",
    "stations": PLATE,
    "strips": STRIPS,
    "aspect_ratio": RATIO,
}
LOOSE = 'contype="0" conaffinity="0"'
HEAVY = f"""<body name="base" pos="0 0 10"><joint name="flap" axis="1 0 0" stiffness="STIFF"/>
<geom type="box" size=".05 .25 .01" pos="0 .25 0" mass="1e3" {LOOSE}/><site name="hinge"/></body>"""


@pytest.fixture
def tunnel(vehicle, make_world):
    """A wing so heavy that it flaps about its root as its spring wants, in a stream."""

    def make(**numbers):
        inertia = 1e3 * (0.25**2 + (0.5**2 + 0.02**2) / 12.0)
        model = HEAVY.replace("STIFF", str(inertia * OMEGA**2))
        path = vehicle(model, parts={"wing": {**WING, "section": SECTION, **numbers}})
        air = {"density": DENSITY, "wind": {"speed": SPEED, "from_deg": 90.0}}
        world = make_world(path, gravity=0.0, air=air, physics_hz=4000)
        world.data.qpos[0] = FLAP
        world.restore(world.snapshot())
        return world

    return make


def outside(time):
    """Force along and across the stream of the wing's strips, without the inertia of the air [N]."""
    wake, found = scherer(OMEGA * CHORD / (2.0 * SPEED), RATIO), np.zeros(2)
    width = SPAN / STRIPS
    strip = FlappingStrip(
        CHORD, width, RATIO, INCIDENCE, 0.0, CAMBER, SECTION["suction"], SECTION["c_friction"], 0.0, -0.6, 0.6
    )
    for k in range(STRIPS):
        reach = (k + 0.5) * width * FLAP
        down, faster = reach * OMEGA * math.sin(OMEGA * time), reach * OMEGA**2 * math.cos(OMEGA * time)
        load = flapping_load(FlappingMotion(down, faster, INCIDENCE, 0.0, 0.0), SPEED, OMEGA, wake, DENSITY, strip)
        moved = 0.25 * math.pi * DENSITY * CHORD**2 * width * faster * math.cos(INCIDENCE)
        found += [
            load.thrust + moved * math.sin(INCIDENCE),
            load.lift - moved * math.cos(INCIDENCE),
        ]
    return found


def test_a_flapping_wing_in_the_loop_is_delauriers_outside(tunnel):
    """Lift and thrust over a beat, in size and phase; 0.5 % is the lag of a wake that learns once a tick."""
    world = tunnel()
    assert world.data.qpos[0] == FLAP
    period = 2.0 * math.pi / OMEGA
    world.run(round(4 * period, 3))  # the start is forgotten
    seen, wanted = [], []
    for _ in range(21):
        world.step(20)
        force = world.part("wing").outputs.force
        seen.append([force[0], force[2]])
        wanted.append(outside(world.time - world.dt))
    got, expected = np.array(seen), np.array(wanted)
    swing = np.ptp(expected, axis=0)
    assert swing[1] > 0.5 * np.abs(expected[:, 1].mean())
    np.testing.assert_allclose(got[:, 1], expected[:, 1], atol=0.005 * swing[1])
    np.testing.assert_allclose(got[:, 0], expected[:, 0], atol=0.01 * swing[0])


def test_held_still_it_is_a_finite_wing(tunnel):
    world = tunnel()
    world.data.qpos[0] = 0.0
    world.restore(world.snapshot())
    world.step(1)
    push = 0.5 * DENSITY * SPEED**2 * SPAN * CHORD
    slope = 2.0 * math.pi * RATIO / (RATIO + 2.0)
    assert world.part("wing").outputs.c_lift == pytest.approx(slope * (INCIDENCE + CAMBER), rel=0.01)
    assert world.part("wing").outputs.force[2] == pytest.approx(push * slope * (INCIDENCE + CAMBER), rel=0.01)


def test_what_thin_airfoils_do_not_have_is_refused(tunnel):
    curve = {"coefficients": [0.1]}
    with pytest.raises(InputError, match="DeLaurier's strips are thin airfoils, they take no curves"):
        tunnel(lift=curve, drag=curve)


def test_another_lift_slope_is_refused(tunnel):
    with pytest.raises(InputError, match=r"section\.c_lift_a: DeLaurier's strips have 2π, not 5\.7"):
        tunnel(section={"c_lift_a": 5.7})
