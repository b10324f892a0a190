"""A route in the loop: each leg begins in its tick, and several vehicles are driven by the same one."""

from pathlib import Path

import numpy as np
import pytest

from cupola.config.routes import Leg, route_sticks
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry, StickEntry
from cupola.physics.mecanum import VELMA, wheel_speeds
from cupola.physics.planar import Twist
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

HZ = 1000
LEGS = [Leg(0.003, Twist(0.1, 0.0, 0.0)), Leg(0.0045, Twist(0.0, 0.2, 0.0)), Leg(0.0025, Twist(0.0, 0.0, -0.3))]


SPOTS = (("one", 0.0), ("two", 5.0))


def world(compiled=True, folder=Path(), **entry):
    """Two bases."""
    by_route = ControllerEntry(use="mecanum_route", rate_hz=HZ, **entry)
    at = [(name, (x, 0.0, 0.1016)) for name, x in SPOTS]
    pair = [VehicleEntry(model="velma_base", controller=by_route, name=name, position=where) for name, where in at]
    return World(Scenario(physics_hz=HZ, vehicles=tuple(pair)), folder, compiled=compiled)


@pytest.mark.parametrize("compiled", [True, False])
def test_one_route_drives_two_vehicles_in_step(compiled):
    driven = world(compiled)
    for name, _ in SPOTS:
        driven.script(route_sticks(LEGS), name)
    seen = []
    for _ in range(13):
        driven.step()
        np.testing.assert_array_equal(driven.command("one"), driven.command("two"))
        seen.append(driven.command("one")[:4])
    # Legs begin at 0, 3, 7.5 and 10 ms; a leg between two ticks begins at the later one.
    legs = [0] * 3 + [1] * 5 + [2] * 2 + [3] * 3
    speeds = [wheel_speeds(leg.twist, VELMA) for leg in LEGS] + [(0.0,) * 4]
    np.testing.assert_allclose(seen, [speeds[leg] for leg in legs], rtol=1e-14, atol=1e-15)


def test_a_scenario_names_a_route_or_a_file_beside_it(tmp_path):
    (tmp_path / "mine.csv").write_text("0.002, 0.1, 0, 0\n")
    driven = world(folder=tmp_path, route="mine.csv")
    driven.step(2)
    assert driven.command("two")[0] == pytest.approx(0.1 / VELMA.radius)
    driven.step()
    assert driven.command("two")[0] == 0.0
    assert world(route="sun").runner("one").script[2] == (9.0, pytest.approx([0.0, -0.09817477, 0.09817477]))


def test_a_scenario_says_the_view_of_a_file(tmp_path):
    (tmp_path / "theirs").write_text("5 0.1 0 0\n")
    driven = world(folder=tmp_path, route="theirs", view="thesis")
    assert driven.runner("one").script[0] == (0.0, [0.0, -0.1, 0.0])
    with pytest.raises(InputError, match=r"controller.route: .*axes are not known"):
        world(folder=tmp_path, route="theirs")
    with pytest.raises(InputError, match="view: is that of a route"):
        ControllerEntry(use="mecanum_route", view="thesis")


def test_a_route_that_is_not_there_or_one_too_many_is_named():
    with pytest.raises(InputError, match=r"vehicles\[0\].controller.route: there is no route 'moon'; shipped are"):
        world(route="moon")
    with pytest.raises(InputError, match="either sticks or a route"):
        ControllerEntry(use="mecanum_route", route="sun", sticks=(StickEntry(time=0, channels=[0.0]),))


@pytest.mark.parametrize("law", ["mecanum_route", "mecanum_drive", "mecanum_wheels", "avoider"])
def test_a_vehicle_without_such_wheels_is_refused(law):
    entry = VehicleEntry(model="quadcopter", controller=ControllerEntry(use=law, rate_hz=10))
    with pytest.raises(
        InputError, match=f"{law} commands wheel speeds, as parts like mecanum obey; quadcopter has: .*rotor"
    ):
        World(Scenario(physics_hz=HZ, vehicles=(entry,)))
