"""Every scenario that ships, in every mode: each stick does what its label says, and the red button stops."""

import math
from typing import cast

import numpy as np
import pytest

from cupola.analysis.controls import find_channels
from cupola.cockpit import messages as say
from cupola.cockpit.condition import conditions
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.cockpit.scene import wheels_of
from cupola.config.channels import HAND, STICK_CHANNELS
from cupola.config.scenario import shipped_scenarios
from cupola.physics.rotation import euler_from_quaternion
from cupola.schema.yaml_files import InputError
from cupola.sim.world import load

STICKS = ("roll", "pitch", "yaw", "throttle")
MEASURED = {
    "ahead": {"forward": 1, "back": -1, "faster": 1, "slower": -1, "more power": 1, "less power": -1},
    "leftward": {"left": 1, "right": -1},
    "climb": {"up": 1, "down": -1, "climb": 1, "sink": -1, "higher": 1, "lower": -1},
    "heading": {"turn left": 1, "turn right": -1, "nose left": 1, "nose right": -1},
    "roll": {"roll right": 1, "roll left": -1, "bank right": 1, "bank left": -1, "tilt right": 1, "tilt left": -1},
    "pitch": {"nose up": -1, "nose down": 1, "tilt back": -1, "tilt forward": 1},
    "front right": {"front right on": 1, "front right back": -1},
    "front left": {"front left on": 1, "front left back": -1},
    "rear left": {"rear left on": 1, "rear left back": -1},
    "rear right": {"rear right on": 1, "rear right back": -1},
}
"""What shows that a label is true, with its sign; pitch is positive nose down, axes are forward, left, up."""
LEAST = 1e-3
"""[m/s], [rad], [rad/s]: what a label promises is seen."""
HELD = 0.5
"""[s] that a stick is held."""
BEATS, BETWEEN = 2.0, 0.02
"""[s] that birds are watched, and between two looks."""
GENTLE = 0.3
"""Of raw sticks, as keys move them: a full one turns a multirotor over."""
SETTLED = 20.0
"""[s] after which a plane has the speed that it holds, and the throttle is not at its end any more."""
LONGEST_TAKE_OFF = 60.0
"""[s]."""
HIGH = 5.0
"""[m] where a second of falling does not end on the ground."""


PRESSED = 0.1
"""[s] that a channel is held."""
AFTER = {"remove boxes": "drop a box", "go on": "safe-close"}
"""Channels that do something after another one."""
SWITCH = "on again: "
"""In the name of what switches a supply or drivers on once they have failed, and does nothing before."""
SILENCE = "sign of life"
"""It acts when it is not heard for a while: tests of the base."""


class Line:
    """What pages would be told."""

    def __init__(self):
        self.said = []

    def tell(self, message):
        self.said.append(message)


@pytest.fixture(scope="module", params=shipped_scenarios())
def flown(request, tmp_path_factory):
    """One flight for all tests of a scenario: loading is what takes long."""
    return Flight(load(request.param), cast(Link, Line()), tmp_path_factory.mktemp("flown"), [], load)


@pytest.fixture
def flight(flown):
    flown.obey(say.Emergency(on=False))
    flown.obey(say.Reset())
    return flown


def infos(flight):
    """Vehicles that differ: two alike would be tried alike."""
    kinds = {}
    for vehicle, info in enumerate(flight.begin()[1].vehicles):
        kinds.setdefault((info.model, *info.mode_texts), (vehicle, info))
    return list(kinds.values())


def facts(world, vehicle):
    name = world.instances[vehicle].name
    now = world.motion(name)
    angles = euler_from_quaternion(now.quat_wb)
    cos, sin = math.cos(angles.yaw), math.sin(angles.yaw)
    found = {
        "ahead": now.vel_w.x * cos + now.vel_w.y * sin,
        "leftward": now.vel_w.y * cos - now.vel_w.x * sin,
        "climb": now.vel_w.z,
        "heading": angles.yaw,
        "roll": angles.roll,
        "pitch": angles.pitch,
    }
    if world.robot(name).wheels:
        wheels = [wheel for wheel in wheels_of(world) if wheel.startswith(f"{name}.")]
        names = ("front right", "front left", "rear left", "rear right")
        found |= {name: world.signal(f"{wheel}.velocity") for name, wheel in zip(names, wheels, strict=True)}
    return found


def mean_facts(flight, vehicle, mode):
    """The same; of a bird that is held by a controller, whose trunk goes up and down with its wings, over beats."""
    world = flight.world
    if mode == "raw" or all(
        part.kind != "flapping" for part in world.robot(world.instances[vehicle].name).parts.values()
    ):
        return facts(world, vehicle)
    rows = []
    for _ in range(round(BEATS / BETWEEN)):
        flight.course.step(round(BETWEEN / flight.dt))
        rows.append(facts(world, vehicle))
    return {what: sum(row[what] for row in rows) / len(rows) for what in rows[0]}


def fly(flight, vehicle, mode, channels, seconds):
    """As a page does it: a mode, and sticks."""
    flight.obey(say.Mode(vehicle=vehicle, mode=mode))
    flight.obey(say.Sticks(vehicle=vehicle, channels=channels))
    flight.course.step(round(seconds / flight.dt))


def take_off(flight, vehicle, info):
    """Into the air, if it flies by hand: throttle up, and a plane pulls."""
    world = flight.world
    name = world.instances[vehicle].name
    if "assisted" not in info.modes or info.wheels:
        return
    pull = 0.5 if info.stick_words[info.modes.index("assisted")].pitch[0] == "climb" else 0.0
    for _ in range(round(LONGEST_TAKE_OFF / HELD)):
        if world.motion(name).pos_w.z > HIGH and world.mission(name) not in ("take-off", "on the ground"):
            break
        fly(flight, vehicle, "assisted", [0.0, pull, 0.0, 1.0], HELD)
    else:
        raise AssertionError(f"{name} does not take off: {world.mission(name)}")
    fly(flight, vehicle, "assisted", [0.0] * 4, SETTLED if pull else HELD)


@pytest.fixture(scope="module")
def airborne(flown):
    """A snapshot with a vehicle in the air by hand: flown there once for all tests of a scenario, then restored."""
    kept = {}

    def get(vehicle, info):
        flown.obey(say.Reset())
        if vehicle not in kept:
            take_off(flown, vehicle, info)
            kept[vehicle] = flown.world.snapshot()
        flown.world.restore(kept[vehicle])
        return kept[vehicle]

    return get


def modes_by_hand(info):
    """Modes whose labels a page shows: it leaves a mission for another that hears the sticks."""
    return [mode for mode in info.modes if mode != "mission" or len(info.modes) == 1]


def test_it_flies_in_every_mode(flight):
    hello, scene = flight.begin()
    assert hello.length == len(flight.frame.numbers) and say.Hello.model_validate_json(hello.model_dump_json()) == hello
    for vehicle, info in enumerate(scene.vehicles):
        for mode, rest in zip(info.modes, info.throttle_rests_at, strict=True):
            fly(flight, vehicle, mode, [0.1, -0.1, 0.1, rest], 100 * flight.dt)
            flight.look()
            flight.frame.fill()
            assert flight.link.said[-1].modes[vehicle] == mode
    bodies = flight.frame.numbers[flight.frame.layout[1].offset :][: 7 * len(scene.bodies)]
    assert np.isfinite(bodies).all()


def test_sticks_do_what_their_labels_say(flight, airborne):
    world = flight.world
    wrong = []
    for vehicle, info in infos(flight):
        begun = airborne(vehicle, info)
        for mode in modes_by_hand(info):
            words = info.stick_words[info.modes.index(mode)]
            size = 1.0 if mode == "assisted" else GENTLE
            world.restore(begun)
            fly(flight, vehicle, mode, [0.0] * 4, HELD)
            still = mean_facts(flight, vehicle, mode)
            for stick, name in enumerate(STICKS):
                for word, side in zip(getattr(words, name), (1.0, -1.0), strict=True):
                    if not word:
                        continue
                    world.restore(begun)
                    fly(flight, vehicle, mode, [side * size * (k == stick) for k in range(4)], HELD)
                    what, sign = next((what, told[word]) for what, told in MEASURED.items() if word in told)
                    seen = sign * (mean_facts(flight, vehicle, mode)[what] - still[what])
                    if seen < LEAST:
                        wrong.append(f"{info.name} {mode} {name} {side:+.0f} says {word!r}: {what} {sign * seen:+.2g}")
    assert wrong == []


def test_sticks_without_a_label_do_nothing(flight):
    """A mission that does not listen flies to the bit as if nobody were there."""
    world = flight.world
    for vehicle, info in infos(flight):
        for mode in modes_by_hand(info):
            words = info.stick_words[info.modes.index(mode)]
            silent = [k for k, name in enumerate(STICKS) if not any(getattr(words, name))]
            if not silent:
                continue
            begun = world.snapshot()
            ends = []
            for size in (0.0, 1.0):
                world.restore(begun)
                fly(flight, vehicle, mode, [size * (k in silent) for k in range(4)], 0.1)
                ends.append((world.arrays.qpos.copy(), world.arrays.qvel.copy(), world.arrays.command.copy()))
            world.restore(begun)
            for still, moved in zip(*ends, strict=True):
                assert np.array_equal(still, moved, equal_nan=True), (
                    f"{info.name} {mode}: {[STICKS[k] for k in silent]}"
                )


def look_at(flight, seconds):
    """Everything that moves, after a while; not what is asked of it."""
    flight.course.step(max(2, round(seconds / flight.dt)))
    arrays = flight.world.arrays
    return [np.copy(one) for one in (arrays.qpos, arrays.qvel, arrays.outputs, arrays.state)]


def hold(flight, vehicle, pressed, seconds):
    """Everything that moves after some channels were held at 1."""
    world = flight.world
    channels = [float(k in pressed) for k in range(STICK_CHANNELS)]
    flight.obey(say.Sticks(vehicle=vehicle, channels=channels))
    flight.course.step(max(2, round(seconds / flight.dt)))
    arrays = world.arrays
    return [np.copy(one) for one in (arrays.qpos, arrays.qvel, arrays.command, arrays.state)]


def nudge(flight, vehicle):
    """Away from where it began: starting over shall be seen."""
    world, body = flight.world, flight.world.instances[vehicle].root
    world.push(body, [0.3 * float(world.model.body_subtreemass[body])] * 3, (0.0, 0.0, 0.0))
    flight.course.step(round(0.05 / flight.dt))
    world.push(body, (0.0, 0.0, 0.0))


def same(one, other):
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


def without_hand(flight, vehicle, ends):
    """The world remembers where channels were, which moves nothing by itself."""
    first = flight.world.instances[vehicle].hand
    return [np.delete(one, np.s_[first : first + HAND]) if k == 3 else one for k, one in enumerate(ends)]


def test_channels_that_are_shown_act_and_the_others_do_nothing(flight):
    """In every mode, to the bit: twenty bars of which nobody hears most are no controls."""
    world = flight.world
    wrong = []
    for vehicle, info in infos(flight):
        flight.obey(say.Reset())
        for mode, heard in zip(info.modes, info.channels, strict=True):
            if world.instances[vehicle].runners[mode].script:
                continue
            nudge(flight, vehicle)
            fly(flight, vehicle, mode, [0.0] * 4, 0.3)
            begun = world.snapshot()
            sticks = {at for at in info.sticks if at >= 0}
            shown = {one.channel for one in heard}
            still = without_hand(flight, vehicle, hold(flight, vehicle, (), PRESSED))
            for one in heard:
                if one.channel in sticks or one.name == SILENCE:
                    continue
                first = [other.channel for other in heard if other.name == AFTER.get(one.name)]
                ends = []
                for pressed in ((), {one.channel}):
                    world.restore(begun)
                    if first:
                        hold(flight, vehicle, first, PRESSED)
                    ends.append(without_hand(flight, vehicle, hold(flight, vehicle, pressed, PRESSED)))
                if same(*ends):
                    wrong.append(f"{info.name} {mode}: channel {one.channel}, {one.name!r}, does nothing")
            world.restore(begun)
            hidden = set(range(STICK_CHANNELS)) - shown - sticks
            ends = without_hand(flight, vehicle, hold(flight, vehicle, hidden, PRESSED))
            if not same(still, ends):
                wrong.append(f"{info.name} {mode}: some of {sorted(hidden)} act and are not shown")
            world.restore(begun)
    assert wrong == []


def test_channels_that_a_hand_may_set_act_and_stay_and_all_others_are_taken(flight):
    """Every channel that a part reads is moved by a controller, by a part, by a stick, or by a slider of the page."""
    world = flight.world
    wrong = []
    for vehicle, info in infos(flight):
        instance = world.instances[vehicle]
        mix, scripted = instance.vehicle.channel_mix, any(runner.script for runner in instance.runners.values())
        heard = {one.channels[0] for one in find_channels(world, instance)}
        for mode, offered in zip(info.modes, info.obeyed, strict=True):
            flight.obey(say.Reset())
            flight.obey(say.Mode(vehicle=vehicle, mode=mode))
            flight.course.step(round(0.3 / flight.dt))
            begun = world.snapshot()
            still = without_hand(flight, vehicle, look_at(flight, PRESSED))
            for channel in heard:
                one = next((one for one in offered if one.channel == channel), None)
                world.restore(begun)
                slot = instance.channels.start + channel
                where = f"{info.name} {mode}: channel {channel}"
                if one is None:
                    with pytest.raises(InputError, match=rf"channel {channel} of {info.name}.*can set"):
                        flight.obey(say.Turn(vehicle=vehicle, channel=channel, value=0.0))
                    continue
                acts = False
                for value in (max(one.low, -1.0), min(one.high, 1.0)):
                    world.restore(begun)
                    flight.obey(say.Turn(vehicle=vehicle, channel=channel, value=value))
                    acts |= not same(still, without_hand(flight, vehicle, look_at(flight, PRESSED)))
                    turned = channel in (mix.camera_command, mix.laser_command) and scripted
                    if abs(world.arrays.command[slot] - value) > 1e-12 and not turned:
                        wrong.append(f"{where} of {one.name} does not stay at {value:g}")
                if not acts and SWITCH not in one.name:
                    wrong.append(f"{where} of {one.name} does nothing")
            world.restore(begun)
    assert wrong == []


def test_wind_is_offered_where_it_is_felt(flight):
    """Sliders of a wind that moves nothing would be a lie, and so would none where it does."""
    world = flight.world
    offered = {one.name for one in flight.begin()[0].parameters if one.name.startswith("air.")}
    blows = [name for name in ("air.wind_speed", "air.wind_up") if name in world.parameters]
    flight.course.step(10)
    begun = world.snapshot()
    ends = {}
    for size in (0.0, 5.0):
        world.restore(begun)
        for name in blows:
            world.tune(name, world.parameters[name][1] + size)
        flight.course.step(round(0.2 / flight.dt))
        ends[size] = [np.copy(world.arrays.qpos), np.copy(world.arrays.qvel)]
    world.restore(begun)
    if blows:
        assert (blows[0] in offered) == (not same(*ends.values())), offered


def test_instruments_are_those_of_the_world(flight):
    """A horizon needs an up and something that tilts, a height something that rises; nothing else is asked."""
    scene, model = flight.begin()[1], flight.world.model
    assert scene.gravity == bool(np.any(model.opt.gravity) or flight.world.scenario.gravity)
    for vehicle, info in enumerate(scene.vehicles):
        world = flight.world
        flight.obey(say.Reset())
        begun = world.snapshot()
        body = world.instances[vehicle].root
        for able, push, turn in ((info.lifts, (0, 0, 1), (0, 0, 0)), (info.tilts, (0, 0, 0), (1, 1, 0))):
            world.restore(begun)
            before = world.data.xpos[body][2], world.data.xmat[body][8]
            mass = float(model.body_subtreemass[body])
            world.push(body, [200.0 * mass * x for x in push], (0.0, 0.0, 0.0), [20.0 * mass * x for x in turn])
            flight.course.step(round(0.02 / flight.dt))
            seen = world.data.xpos[body][2] - before[0] if any(push) else before[1] - world.data.xmat[body][8]
            # A base that is moved along its commands feels no push.
            parts = world.instances[vehicle].vehicle.parts.values()
            led = any(getattr(part, "model", "") == "kinematic" for part in parts)
            assert (able and led) or able == (abs(seen) > 1e-9), f"{info.name}: {push} {turn} {seen}"
        world.restore(begun)


def test_propellers_that_turn_are_those_of_the_model(flight):
    """The page turns shapes named so; where a rotor has none it draws its own, over whatever the model shows there."""
    scene = flight.begin()[1]
    for rotor in scene.rotors:
        own = [
            geom.name
            for geom in scene.geoms
            if geom.body == rotor.body
            and "prop" in geom.name.lower()
            and math.dist(geom.pos_b, rotor.pos_b) < max(0.25, rotor.radius)
        ]
        assert own, f"{scene.bodies[rotor.body].name}: no shape of the rotor at {rotor.pos_b} is called a propeller"


def test_the_red_button_stops_in_every_mode(flight, airborne):
    world = flight.world
    for vehicle, info in infos(flight):
        begun = airborne(vehicle, info)
        for mode in info.modes:
            world.restore(begun)
            fly(flight, vehicle, mode, [0.0, -GENTLE, 0.0, GENTLE], 0.2)
            flight.obey(say.Emergency(on=True))
            flight.course.step(1)
            assert flight.emergency and conditions(world)[vehicle].name == "motors off"
            flight.course.step(round(1.0 / flight.dt))
            assert not np.nan_to_num(world.arrays.command).any(), f"{info.name} {mode}"
            if info.wheels:
                assert np.linalg.norm(world.motion(info.name).vel_w) < 0.05, f"{info.name} {mode}"
            flight.obey(say.Emergency(on=False))
            flight.course.step(1)
            assert not flight.emergency and conditions(world)[vehicle].name != "motors off"
