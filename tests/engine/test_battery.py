"""One battery, two motors on a stand: sag by the sum of the currents, discharge, cut-off, and what a monitor says."""

import math

import numpy as np
import pytest

from cupola.kernel.records import flat
from cupola.physics.battery import cell_voltage
from cupola.schema.yaml_files import InputError

from .conftest import PARTS
from .every_kind import ELECTRIC

BODY = """<body name="base" pos="0 0 5"><geom size="0.1"/>
  <site name="left" pos="0 1 0"/><site name="right" pos="0 -1 0"/></body>"""
MOTOR = {k: v for k, v in PARTS["motor"].items() if k not in ("site", "battery")}
FULL = 3 * cell_voltage(1.0)


def stand(vehicle, make_world, battery, name="toy", electric=ELECTRIC, **monitor):
    """Two motors at throttle 0.8 and 0.4; `battery` None: they have none."""
    own = {} if battery is None else {"battery": "pack"}
    parts = {
        "left": {**MOTOR, "site": "left", "channel": 0, "electric": electric, **own},
        "right": {**MOTOR, "site": "right", "channel": 1, "direction": -1, "electric": electric, **own},
    }
    if battery is not None:
        parts["pack"] = {"kind": "battery", "cells": 3, "capacity_ah": 1e12, **battery}
        watch = {"kind": "battery_monitor", "battery": "pack", "site": "left", "rate_hz": 100, **monitor}
        parts = {"monitor": watch, **parts}  # before what it watches: the order of a file means nothing
    controller = {"use": "pass_through", "rate_hz": 100, "sticks": [{"time": 0, "channels": [0.8, 0.4]}]}
    return make_world(vehicle(BODY, name=name, parts=parts, controller=controller), physics_hz=1000)


def motors(world):
    """What both motors show."""
    return world.part("left").outputs, world.part("right").outputs


def numbers(world):
    """The same, as numbers."""
    return [flat(one) for one in motors(world)]


def monitor(world):
    return world.samples["toy", "monitor"].latest()


def test_a_stiff_full_battery_is_the_constant_voltage_of_the_motor(vehicle, make_world):
    fed = stand(vehicle, make_world, {})
    constant = stand(vehicle, make_world, None, "constant", {**ELECTRIC, "cell_voltage": FULL / 3})
    fed.step(500)
    constant.step(500)
    np.testing.assert_allclose(numbers(fed), numbers(constant), rtol=1e-9)
    left, right = motors(fed)
    assert left.thrust > right.thrust > 1


def test_it_sags_by_the_sum_of_the_currents(vehicle, make_world):
    world = stand(vehicle, make_world, {"resistance": 0.05})
    world.step(3000)  # the shafts have settled: the currents of this tick are those of the last
    left, right = motors(world)
    drawn = 0.8 * left.current + 0.4 * right.current
    assert drawn > 5
    assert monitor(world).current == pytest.approx(drawn, rel=1e-4)
    assert monitor(world).voltage == pytest.approx(FULL - 0.05 * monitor(world).current, rel=1e-12)
    alone = stand(vehicle, make_world, {}, "stiff")
    alone.step(3000)
    assert all(one.thrust < other.thrust for one, other in zip(motors(world), motors(alone), strict=True))


def test_it_discharges_by_the_charge_that_flows(vehicle, make_world):
    world = stand(vehicle, make_world, {"capacity_ah": 1.0, "resistance": 0.02, "charge": 0.9}, rate_hz=1000)
    flown = 0.0
    for _ in range(2000):
        world.step()
        flown += monitor(world).current / 1000
    assert flown > 10
    assert monitor(world).charge == pytest.approx(0.9 - flown / 3600, rel=1e-12)


def test_an_empty_battery_cuts_off(vehicle, make_world):
    world = stand(vehicle, make_world, {"capacity_ah": 0.005})
    assert monitor(world).voltage == pytest.approx(FULL)
    world.step(3000)
    assert monitor(world) == (0.0, 0.0, 0.0)
    assert [one.thrust for one in motors(world)] == [0.0, 0.0]


def test_a_snapshot_holds_the_charge(vehicle, make_world, digest):
    world = stand(vehicle, make_world, {"capacity_ah": 0.1, "resistance": 0.02}, voltage_noise=0.1)
    world.step(300)
    saved = world.snapshot()
    world.step(300)
    first = digest(world)
    world.restore(saved)
    world.step(300)
    assert digest(world) == first
    world.reset()
    assert monitor(world).charge == 1.0


def test_a_monitor_is_noisy(vehicle, make_world):
    world = stand(vehicle, make_world, {"charge": 0.5}, voltage_noise=0.1, current_noise=0.3, rate_hz=1000)
    world.step(3000)
    before = world.samples["toy", "monitor"].count
    world.step(1000)
    said = world.samples["toy", "monitor"].since(before)[:, 1:]
    np.testing.assert_allclose(said.std(axis=0), [0.1, 0.3, 0], rtol=5 / math.sqrt(2000), atol=1e-9)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"battery": "tank"}, r"parts\.motor: battery: there is no part 'tank'.*there are: pack"),
        ({"electric": {**ELECTRIC, "r_battery": 0.01}}, r"parts\.motor.*r_battery must be 0"),
        ({"electric": None}, r"parts\.motor.*only an electric motor"),
    ],
)
def test_nonsense_is_refused(vehicle, make_world, change, complaint):
    motor = {**MOTOR, "site": "left", "battery": "pack", **change}
    parts = {"motor": motor, "pack": {"kind": "battery", "cells": 3, "capacity_ah": 1}}
    with pytest.raises(InputError, match=complaint):
        make_world(vehicle(BODY, parts=parts))
