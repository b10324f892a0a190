"""What people do to a running world: pushes, faults, tuning; refused, remembered, repeated to the bit."""

import math
import re
from typing import Any

import numpy as np
import pytest

import cupola
from cupola.config.air import Air
from cupola.config.scenario import FaultEntry, Scenario, VehicleEntry
from cupola.physics.rotation import Vector, rotate
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.yaml_files import InputError, read
from cupola.sim.events import Command, repeat
from cupola.sim.saving import as_yaml
from cupola.sim.world import World


@pytest.fixture
def hover():
    return cupola.load("hover")


def falling():
    """A quadcopter without power, high up: nothing acts on it but what the test does."""
    entry = VehicleEntry(model="quadcopter", position=(0, 0, 500), mode="raw")
    world = World(Scenario(vehicles=(entry,), air=Air(space=True)))
    world.stop_motors()
    return world


def test_a_push_at_the_centre_of_mass_is_newtons_law():
    world = falling()
    body = world.model.body("quadcopter/base").id
    mass = world.model.body_subtreemass[body]
    world.push("quadcopter/base", (2.0, 0.0, 0.0), world.model.body_ipos[body])
    world.run(1.0)
    assert world.motion().vel_w.x == pytest.approx(2.0 / mass, rel=1e-3)
    world.push("quadcopter/base", (0.0, 0.0, 0.0))
    before = world.motion().vel_w.x
    world.run(0.5)
    assert world.motion().vel_w.x == pytest.approx(before, abs=1e-9)


def test_a_push_beside_it_turns_it():
    world = falling()
    world.push("quadcopter/base", (0.0, 0.0, 0.1), (0.2, 0.0, 0.0))
    world.run(0.1)
    assert world.motion().rate_b.y < -0.05  # up on the nose


PUSHES: Any = [
    {"time": 0.05, "duration": 0.1, "body": "quadcopter/base", "torque_w": (0.0, 0.0, 0.02)},
    {"time": 0.15, "body": "quadcopter/base", "force_w": (0.3, 0.0, 0.0), "point_b": (0.0, 0.1, 0.0)},
]


def test_a_scenario_pushes_and_turns_at_its_times_as_a_hand_would(tmp_path):
    content: Any = {"vehicles": [{"model": "quadcopter", "position": (0, 0, 500)}], "air": {"space": True}}
    by_hand, by_file = World(Scenario(**content)), World(Scenario(**content, pushes=PUSHES))
    by_hand.run(0.05)
    by_hand.push("quadcopter/base", (0, 0, 0), torque_w=(0.0, 0.0, 0.02))
    by_hand.run(0.1)
    by_hand.push("quadcopter/base", (0.3, 0.0, 0.0), (0.0, 0.1, 0.0))
    by_hand.run(0.1)
    recorder = WorldRecorder(by_file, tmp_path / "pushed.mcap")
    by_file.run(0.25)
    recorder.close()
    assert np.array_equal(by_hand.data.qvel, by_file.data.qvel) and abs(by_file.data.qvel[5]) > 1e-3
    told = [c for c in Recording(tmp_path / "pushed.mcap").commands(2000) if c.call == "push"]
    assert [c.tick for c in told] == [100, 300, 300] and told[0].arguments[3] == (0.0, 0.0, 0.02)
    assert not any(c.outside for c in told)  # the world does it again by itself
    end = by_file.data.qvel.copy()
    by_file.reset()
    by_file.run(0.25)
    assert np.array_equal(by_file.data.qvel, end)


@pytest.mark.parametrize(
    ("pushes", "words"),
    [
        ([{**PUSHES[0], "body": "quadcopter/tail"}], "pushes[0]: there is no body 'quadcopter/tail'; there are: quad"),
        ([PUSHES[1], PUSHES[1]], "pushes[1]: quadcopter/base is already pushed then, by pushes[0]: write their sum"),
        ([{**PUSHES[0], "duration": 1e-5}], "pushes[0]: duration 1e-05 s is shorter than a step of 0.0005 s"),
        ([{"time": 1.0, "body": "quadcopter/base"}], "a push needs `force_w` [N] or `torque_w` [N m]"),
        ([{**PUSHES[0], "torque": (0, 0, 1)}], "torque"),
    ],
)
def test_a_push_of_a_scenario_that_cannot_be_is_refused_by_its_place(pushes, words):
    content: Any = {"vehicles": [{"model": "quadcopter"}], "pushes": pushes}
    with pytest.raises(InputError, match=re.escape(words)):
        World(Scenario(**content))


@pytest.mark.parametrize(
    ("body", "force", "words"),
    [
        ("quadcopter/tail", (0, 0, 1), "no body 'quadcopter/tail'; there are: quadcopter/base"),
        (0, (0, 0, 1), "no body 0"),
        ("quadcopter/base", (0, math.nan, 1), "expected a finite number"),
    ],
)
def test_a_push_that_makes_no_sense_is_refused(hover, body, force, words):
    with pytest.raises(InputError, match=words):
        hover.push(body, force)


def test_a_dead_motor_brings_a_quadcopter_down(hover):
    hover.fail("quadcopter.motor1", "off")
    hover.run(1.0)
    assert hover.motion().pos_w.z < 1.5
    assert ("quadcopter.motor1", "off", 1.0) in hover.faults()
    assert hover.part("motor1").outputs.thrust == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize("dead", [0.1, 1.0])
def test_a_motor_that_is_mended_pulls_again_and_the_quadcopter_recovers(hover, dead):
    hover.run(0.5)
    before = hover.part("motor1").outputs.thrust
    hover.fail("quadcopter.motor1", "off")
    hover.run(dead)
    assert hover.part("motor1").outputs.thrust == pytest.approx(0.0, abs=0.05)
    hover.fail("quadcopter.motor1", "off", 0.0)
    assert all(fault.amount == 0.0 for fault in hover.faults())
    hover.run(10.0)
    assert hover.part("motor1").outputs.thrust == pytest.approx(before, rel=0.02)
    seen = hover.motion()
    assert rotate(seen.quat_wb, Vector(0.0, 0.0, 1.0)).z > 0.999 and seen.pos_w.z > 0.5
    assert np.linalg.norm(seen.vel_w) < 0.05


def test_a_stuck_sensor_repeats_itself(hover):
    imu = hover.samples["quadcopter", "imu"]
    hover.run(0.5)
    hover.fail("quadcopter.imu", "stuck")
    hover.run(0.1)
    held = np.array(imu.latest()[:2])
    hover.sticks([0.5, 0.0, 0.0, 0.0])
    hover.run(0.5)
    assert np.array_equal(held, imu.latest()[:2])
    hover.fail("quadcopter.imu", "stuck", 0.0)
    hover.run(0.1)
    assert not np.array_equal(held, imu.latest()[:2])


def test_lost_packets_of_the_sticks_are_a_share_of_them(hover):
    hover.fail("quadcopter.sticks", "loss", 0.5)
    heard = 0
    for k in range(400):
        value = 0.001 * (k + 1)
        hover.sticks([value])
        heard += hover.signal("quadcopter.stick.roll") == value
        hover.step()
    assert 160 < heard < 240  # 4 standard deviations


@pytest.mark.parametrize(
    ("part", "kind", "amount", "words"),
    [
        (
            "quadcopter.wing",
            "off",
            1,
            "no 'quadcopter.wing' that could fail; there are: quadcopter.sticks, quadcopter.motor1",
        ),
        ("quadcopter.motor1", "stuck", 1, "motor1 knows no fault 'stuck'; it knows: off"),
        ("quadcopter.imu", "loss", 1.5, "must be between 0 and 1"),
        ("quadcopter.motor1", "off", 0.5, "0 .whole. or 1"),
    ],
)
def test_what_cannot_break_is_refused(hover, part, kind, amount, words):
    with pytest.raises(InputError, match=words):
        hover.fail(part, kind, amount)


def test_a_scenario_may_let_things_fail():
    entry = VehicleEntry(model="quadcopter", position=(0, 0, 5), mode="assisted")
    scenario = Scenario(vehicles=(entry,), faults=(FaultEntry(time=1.0, part="quadcopter.motor2", kind="off"),))
    world = World(scenario)
    world.run(0.99)
    assert world.motion().pos_w.z == pytest.approx(5.0, abs=0.05)
    world.run(1.0)
    assert world.motion().pos_w.z < 4.5
    with pytest.raises(InputError, match=r"faults\[0\]: there is no 'quadcopter.motor9'"):
        World(
            scenario.model_copy(
                update={"faults": (scenario.faults[0].model_copy(update={"part": "quadcopter.motor9"}),)}
            )
        )


def test_tuning_a_part_acts_at_the_next_tick(hover):
    hover.take_over("mission")  # its matrix is the thesis's; the mixer of the assisted mode would follow the new number
    hover.run(1.0)
    rotor = hover.part("motor1")
    before = rotor.row.k_motor
    hover.tune("quadcopter.motor1.k_motor", 40.0)
    assert before == 80.0 and rotor.row.k_motor == 40.0
    hover.run(0.3)
    assert abs(hover.motion().rate_b.x) + abs(hover.motion().rate_b.y) > 0.1


def test_tuning_the_wind_moves_the_air():
    entry = VehicleEntry(model="plane_1wing", position=(0, 0, 100), velocity_b=(20, 0, 0))
    world = World(Scenario(vehicles=(entry,)))
    still = math.hypot(*world.motion().vel_air_b)
    world.tune("air.wind_from_deg", 90.0)  # from the east: a headwind of a plane that flies east
    world.tune("air.wind_speed", 5.0)
    world.step()
    assert math.hypot(*world.motion().vel_air_b) == pytest.approx(still + 5.0, abs=0.1)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("quadcopter.motor1.k_moter", 1.0, "the nearest: quadcopter.motor1.k_motor"),
        ("air.wind_speed", 99.0, r"air.wind_speed must lie between 0 and 25 m/s, got 99"),
        ("quadcopter.assisted.velocity_kp", math.nan, "expected a finite number"),
    ],
)
def test_a_number_that_makes_no_sense_is_refused(hover, name, value, words):
    with pytest.raises(InputError, match=words):
        hover.tune(name, value)


def test_every_parameter_has_a_range_around_its_value_and_a_finite_value(hover):
    for name, (declared, value) in hover.parameters.items():
        assert declared.low <= value <= declared.high and math.isfinite(value), name
    assert {"quadcopter.position_kp", "quadcopter.motor1.k_motor", "air.wind_speed"} <= set(hover.parameters)


def test_tuned_numbers_are_saved_as_a_scenario(hover, tmp_path):
    changes = {"quadcopter.assisted.velocity_kp": 1.5, "quadcopter.motor1.k_motor": 79.0, "air.wind_speed": 3.0}
    for name, value in changes.items():
        hover.tune(name, value)
    (tmp_path / "tuned.yaml").write_text(as_yaml(hover.scenario_now()))
    again = World(read(tmp_path / "tuned.yaml", Scenario), tmp_path)
    assert {name: again.parameters[name][1] for name in changes} == changes
    hover.reset()
    for world in (hover, again):
        world.run(1.0)
    assert np.array_equal(hover.data.qpos, again.data.qpos)


def interfere(world):
    """Everything at once, at ticks that have no common factor with anything."""
    world.step(103)
    world.sticks([0.3, 0.1, 0.0, 0.2])
    world.step(211)
    world.push("quadcopter/base", (0.3, 0.0, 0.1), (0.1, 0.0, 0.0))
    world.tune("air.wind_speed", 4.0)
    world.step(57)
    world.push("quadcopter/base", (0.0, 0.0, 0.0))
    world.fail("quadcopter.imu", "loss", 0.3)
    world.drop_box()
    world.step(77)
    world.take_over("mission")
    world.tune("quadcopter.position_kp", 1.2)
    world.step(301)


def state_of(world):
    return world.data.qpos.tobytes() + world.data.qvel.tobytes() + world.arrays.samples.tobytes()


def test_told_the_same_again_it_flies_the_same_to_the_bit():
    told: list[Command] = []
    first = cupola.load("hover")
    first.listeners.append(told.append)
    interfere(first)
    second = cupola.load("hover")
    repeat(second, told, first.tick)
    assert len(told) >= 7 and state_of(first) == state_of(second)


def test_a_recording_is_enough_to_repeat_the_flight(tmp_path):
    first = cupola.load("hover")
    tap = WorldRecorder(first, tmp_path / "flight.mcap")
    interfere(first)
    tap.close()
    told = Recording(tmp_path / "flight.mcap").commands(first.scenario.physics_hz)
    second = cupola.load("hover")
    repeat(second, told, first.tick)
    assert len(told) >= 7 and state_of(first) == state_of(second)
    tuned = [
        (change.name, change.value) for change in Recording(tmp_path / "flight.mcap").parameters if change.time > 0
    ]
    assert tuned == [("air.wind_speed", 4.0), ("quadcopter.position_kp", 1.2)]


def test_a_snapshot_holds_what_was_done(hover):
    interfere(hover)
    kept = hover.snapshot()
    hover.run(0.5)
    end = state_of(hover)
    hover.stop_motors()
    hover.fail("quadcopter.motor1", "off")
    hover.tune("air.wind_speed", 9.0)
    hover.take_over("raw")
    hover.run(0.3)
    hover.restore(kept)
    assert hover.mode() == "mission" and not hover.stopped()
    assert hover.parameters["air.wind_speed"][1] == 4.0
    hover.run(0.5)
    assert state_of(hover) == end


def test_another_plan_is_flown_until_the_reset_and_is_in_a_snapshot(hover):
    hover.take_over("mission")
    flown = hover.instances[0].runners["mission"]
    first = flown.plan.tolist()
    rows = [(2.0, -1.0, 3.0, 0.5, 2.0, 0.0, 0.0), (2.0, -1.0, 2.0, 0.5, 2.0, 1.0, 0.0)]
    hover.plan(rows)
    hover.run(1.0)
    kept, there = hover.snapshot(), hover.goal()
    assert there is not None and there[:3] == (2.0, -1.0, 3.0)
    hover.plan([rows[1]])
    hover.restore(kept)
    assert flown.plan.tolist() == [list(row) for row in rows] and hover.goal() == there
    hover.run(8.0)
    assert hover.motion().pos_w == pytest.approx((2.0, -1.0, 2.0), abs=0.2)
    hover.reset()
    assert flown.plan.tolist() == first


def test_a_plan_that_makes_no_sense_is_refused(hover):
    with pytest.raises(InputError, match=r"plan\[0\]: expected x, y, z, yaw, speed above 0"):
        hover.plan([(0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)])
    with pytest.raises(InputError, match="plan: first"):
        hover.plan([(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0)], first=1)
    with pytest.raises(InputError, match="flies no plan"):
        cupola.load("quadcopter", controllers={"quadcopter": "pass_through"}).plan([])
