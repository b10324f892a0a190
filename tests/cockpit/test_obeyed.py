"""Sliders of what a vehicle obeys: an arm of seven servos, with a controller of its own, in recordings, locked."""

from typing import cast

import numpy as np
import pytest

from cupola.cockpit import messages as say
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.cockpit.replay import Replay
from cupola.schema.yaml_files import InputError
from cupola.sim.world import load

COUNT = 7
REACH = {3: 0.8}
"""[rad] of joints that reach less far than the others."""
FAR = 2.5
CALLED = 100
"""Ticks in which a controller is called."""
OWN = """from cupola import Controller

class Own(Controller):
    def step(self, obs, ref):
        return [0.1, 0.2]
"""


def arm(**more):
    """Bodies, actuators and parts of an arm that hangs in the air."""
    bodies, servos, parts = "", "", {}
    for k in reversed(range(COUNT)):
        far = REACH.get(k, FAR)
        bodies = (
            f'<body name="link{k}" pos="0 0 0.1"><joint name="joint{k}" axis="{k % 2} {1 - k % 2} 0" armature="0.01" '
            f'damping="0.1"/><geom size="0.02" mass="0.02" contype="0" conaffinity="0"/>{bodies}</body>'
        )
        servos += f'<position name="joint{k}" joint="joint{k}" kp="500" kv="20"/>'
        parts[f"servo_{k}"] = {"kind": "servo", "channel": k, "actuator": f"joint{k}", "low": -far, "high": far}
    model = f"<body name='base'><geom type='box' size='.1 .1 .1' mass='5'/>{bodies}</body></worldbody>"
    return {"bodies": f"{model}<actuator>{servos}</actuator><worldbody>", "parts": parts, **more}


@pytest.fixture
def fly(vehicle, tmp_path):
    """A flight of an arm."""

    def start(*may_fly, **more):
        made = arm(**more)
        return Flight(
            load(vehicle(made.pop("bodies"), **made)), cast(Link, Told()), tmp_path, [], load, may_fly=may_fly
        )

    return start


class Told:
    """What pages would be told."""

    def __init__(self):
        self.said, self.answers = [], []

    def tell(self, message):
        self.said.append(message)

    def answer(self, number, content):
        self.answers.append(content)


def angles(flight):
    return [flight.world.signal(f"toy.joint{k}.position") for k in range(COUNT)]


def test_every_servo_of_seven_is_moved_to_its_ends_and_stays(fly):
    flight = fly()
    (info,) = flight.begin()[1].vehicles
    (offered,) = info.obeyed
    assert [(one.channel, one.name, one.unit) for one in offered] == [(k, f"servo_{k}", "rad") for k in range(COUNT)]
    assert [one.high for one in offered] == [REACH.get(k, FAR) for k in range(COUNT)]
    wanted = [one.high * (1.0 if one.channel % 2 else -1.0) for one in offered]
    for one, value in zip(offered, wanted, strict=True):
        flight.obey(say.Turn(channel=one.channel, value=value))
    flight.step(round(3.0 / flight.dt))
    flight.look()  # nobody repeats it, and nothing expires
    np.testing.assert_allclose(angles(flight), wanted, atol=0.2)  # springs against the weight
    kept = list(angles(flight))
    flight.obey(say.Turn(channel=5, value=0.0))
    flight.step(round(2.0 / flight.dt))
    assert abs(angles(flight)[5]) < 0.2 and np.allclose(angles(flight)[:3], kept[:3], atol=0.2)
    flight.obey(say.Reset())
    flight.step(round(0.5 / flight.dt))
    begin = [0.5 * (k == 3) for k in range(COUNT)]  # the throttle stick in its middle
    np.testing.assert_allclose(angles(flight), begin, atol=0.2)


def test_keys_take_a_stick_over_and_the_others_stay(fly):
    flight = fly()
    for channel in (0, 6):
        flight.obey(say.Turn(channel=channel, value=2.0))
    flight.obey(say.Sticks(channels=[0.5, 0.0, 0.0, 0.0]))
    flight.step(CALLED)
    assert flight.world.signal("toy.command.0") == 0.5 and flight.world.signal("toy.command.6") == 2.0
    flight.obey(say.Turn(channel=0, value=-2.0))
    flight.step(CALLED)
    assert flight.world.signal("toy.command.0") == -2.0
    flight.course.hands.let_go()  # nobody is at the page any more
    flight.step(CALLED)
    assert flight.world.signal("toy.command.0") == 0.0 and flight.world.signal("toy.command.6") == 2.0


def test_the_same_moves_are_in_the_recording_in_a_branch_and_in_the_replay(fly, digest):
    flight = fly()
    flight.obey(say.Record(on=True))
    flight.step(100)
    flight.obey(say.Turn(channel=6, value=1.5))
    flight.obey(say.Turn(channel=2, value=-2.0))
    flight.step(400)
    flight.look()
    first, time = digest(flight.world), flight.world.time
    flight.obey(say.Seek(time=0.01))
    flight.obey(say.Seek(time=time))
    assert digest(flight.world) == first
    recorded = flight.tape.path
    flight.obey(say.Record(on=False))
    replay = Replay(recorded, cast(Link, Told()))
    replay.obey(say.Seek(time=time))
    (info,) = replay.begin()[1].vehicles
    assert len(info.obeyed[0]) == COUNT
    replay.frame.fill()
    signals = {one.name: k for k, one in enumerate(replay.frame.signals)}
    at = next(one.offset for one in replay.frame.layout if one.name == "signals")
    shown = [replay.frame.numbers[at + signals[f"toy.command.{k}"]] for k in (2, 6)]
    assert shown == [-2.0, 1.5]


def test_a_controller_keeps_its_own_channels(fly):
    flight = fly(controller={"use": "own.py:Own", "rate_hz": 100}, files={"own.py": OWN})
    ((*offered,),) = flight.begin()[1].vehicles[0].obeyed
    assert [one.channel for one in offered] == list(range(2, COUNT))
    with pytest.raises(InputError, match="no hand can set channel 1 of toy now; those that it can set: 2, 3"):
        flight.obey(say.Turn(channel=1, value=0.5))


def test_a_lock_keeps_hands_off(fly):
    modes = {"controller": {"use": "idle", "rate_hz": 100}, "raw": {"use": "pass_through", "rate_hz": 100}}
    flight = fly("mission", **modes)
    with pytest.raises(InputError, match="locked"):
        flight.obey(say.Turn(channel=6, value=0.5))
