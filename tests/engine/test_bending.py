"""A wing that bends: the cantilever of the textbooks, and one that flies."""

import math

import mujoco
import numpy as np
import pytest

LENGTH, CHORD, MASS, EI, GJ = 1.0, 0.1, 0.2, 0.5, 0.3
ROOT = """<body name="base"><geom size=".01" mass="1" contype="0" conaffinity="0"/>
<body name="beam"><inertial pos="-.025 .5 0" mass=".2" diaginertia=".0167 .0002 .0168"/><site name="left"/></body>
</body>"""


def beam(vehicle, make_world, sections, *, air=None, name="toy", **numbers):
    part = {
        "kind": "wing",
        "site": "left",
        "strips": 20,
        "stations": [{"y": 0.0, "chord": CHORD}, {"y": LENGTH, "chord": CHORD}],
        "bending": {"sections": sections, "stiffness": EI, **numbers},
    }
    space = air or {"space": True}
    return make_world(
        vehicle(ROOT, name=name, parts={"left": part}),
        physics_hz=2000,
        gravity=0.0,
        integrator="implicitfast",
        air=space,
    )


def tip(world, sections):
    """Height of the tip [m]."""
    last = world.model.body(f"{world.instances[0].name}/beam_{sections}").id
    out = LENGTH - (sections - 0.5) * LENGTH / sections
    return world.data.xpos[last][2] + out * world.data.xmat[last][7]


def frequency(world):
    """Of the first mode [rad/s], from mass matrix and springs at rest."""
    count = world.model.nv
    matrix = np.zeros((count, count))
    for k in range(count):
        mujoco.mj_mulM(world.model, world.data, matrix[k], np.eye(count)[k])
    stiffness = np.diag(world.model.jnt_stiffness)
    return math.sqrt(np.linalg.eigvals(np.linalg.solve(matrix, stiffness)).real.min())


def test_frequency_is_that_of_a_cantilever_and_converges(vehicle, make_world):
    """omega = 3.516 sqrt(EI / (mu L⁴)): Meirovitch, Fundamentals of Vibrations, 8.4."""
    exact = 3.5160 * math.sqrt(EI / (MASS / LENGTH * LENGTH**4))
    errors = [abs(frequency(beam(vehicle, make_world, n, name=f"n{n}")) / exact - 1.0) for n in (4, 8, 16)]
    assert errors[2] < 2e-3
    assert 3.0 < errors[0] / errors[1] < 5.0 and 3.0 < errors[1] / errors[2] < 5.0


def test_tip_sinks_under_a_load_as_a_cantilever_does(vehicle, make_world):
    """P L³ / 3 EI, small."""
    sections, force = 12, 0.02
    world = beam(vehicle, make_world, sections, damping=0.06)
    body = world.model.body(f"toy/beam_{sections}").id
    arm = 0.5 * LENGTH / sections
    world.arrays.external_wrench[body] = [0, 0, force, force * (arm - world.model.body_ipos[body][1]), 0, 0]
    world.step(10 * 2000)
    assert tip(world, sections) == pytest.approx(force * LENGTH**3 / (3.0 * EI), rel=0.01)


def test_mass_and_strips_are_shared_out(vehicle, make_world):
    world = beam(vehicle, make_world, 4, twisting=GJ)
    assert world.model.body_mass.sum() == pytest.approx(1.0 + MASS)
    pieces = [world.part(bound.full_name) for bound in world.assembly.parts]
    assert len(pieces) == 5 and world.model.njnt == 8
    assert sum(piece.row.area for piece in pieces) == pytest.approx(LENGTH * CHORD)
    centre = sum(world.model.body_mass[2:] * (world.data.xipos[2:, 1])) / MASS
    assert centre == pytest.approx(LENGTH / 2)


def test_wind_bends_it_up(vehicle, make_world):
    world = beam(
        vehicle, make_world, 6, air={"density": 1.2, "wind": {"speed": 8.0, "from_deg": 90, "up": 0.8}}, damping=0.02
    )
    world.step(6000)
    lift = sum(world.part(bound.full_name).outputs.force.z for bound in world.assembly.parts)
    assert 0.005 < tip(world, 6) < 0.6 and lift > 0.1


@pytest.mark.parametrize(
    ("change", "said"), [({"span": {"channel": 0, "gain": 1.0}}, "either bends or changes"), ({}, "<inertial>")]
)
def test_what_cannot_bend_is_refused(vehicle, make_world, change, said):
    from cupola.schema.yaml_files import InputError

    body = (
        ROOT if change else ROOT.replace('<inertial pos="-.025 .5 0" mass=".2" diaginertia=".0167 .0002 .0168"/>', "")
    )
    stations = [{"y": 0.0, "chord": 0.1}, {"y": 1.0, "chord": 0.1}]
    part = {
        "kind": "wing",
        "site": "left",
        "stations": stations,
        "bending": {"sections": 3, "stiffness": 1.0},
        **change,
    }
    with pytest.raises(InputError, match=said):
        make_world(vehicle(body, parts={"left": part}))
