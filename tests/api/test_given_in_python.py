"""A notebook's way in: scenarios and vehicles built in Python, classes and instances as controllers and parts."""

import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import cupola
from cupola.config.vehicle import ControllerEntry
from cupola.parts.propulsion.rotor import Rotor as TypedRotor

Scenario: Any = cupola.Scenario  # it takes lists and dicts, too, of which type checkers know nothing
Rotor: Any = TypedRotor


class Steady(cupola.Controller):
    """The same command for all motors."""

    level = cupola.parameter(0.5, low=0.0, high=1.0)

    def step(self, obs, ref):
        return [self.level] * 4


class Count(NamedTuple):
    calls: float = 0.0


class Pure(cupola.Controller):
    """The same, compiled."""

    level = cupola.parameter(0.5, low=0.0, high=1.0)
    State = Count

    @staticmethod
    def law(obs, ref, state, p):
        return (p.level, p.level, p.level, p.level), Count(state.calls + 1.0)


class Filtered(NamedTuple):
    """A state within a state."""

    rate: cupola.Vector = cupola.Vector(0.0, 0.0, 0.1)
    count: Count = Count()
    sum: float = 0.0


class Nested(cupola.Controller):
    """Remembers more than single numbers."""

    State = Filtered

    @staticmethod
    def law(obs, ref, state, p):
        rate = cupola.Vector(obs.rate_b.x, 0.5 * (state.rate.y + obs.rate_b.y), state.rate.z)
        after = Filtered(rate, Count(state.count.calls + 1.0), state.sum + state.count.calls)
        return (0.5 + 0.01 * rate.y, 0.5, 0.5, 0.5 + 1e-3 * rate.z + 1e-6 * after.sum), after

    def mission(self, obs, ref, state):
        return f"{state.count.calls:g} calls, {state.rate.z:g}"


class TypedPush(cupola.Load):
    """A constant force along the site's z."""

    force: float = 1.0

    def step(self, motion, density, drive):
        zero = cupola.Vector(0.0, 0.0, 0.0)
        return cupola.Wrench(cupola.Vector(0.0, 0.0, self.force), zero)


Push: Any = TypedPush

# Controllers


def test_a_law_s_state_may_hold_states():
    flown = []
    for compiled in (True, False):
        world = cupola.load("quadcopter", controllers={"quadcopter": Nested}, compiled=compiled)
        world.run(0.1)
        kept, said = world.snapshot(), world.mission()
        assert said == "40 calls, 0.1"
        world.run(0.1)
        first = world.state_hash()
        world.restore(kept)
        assert world.mission() == said
        world.run(0.1)
        assert world.state_hash() == first
        flown.append(world.data.qpos.copy())
    np.testing.assert_allclose(flown[0], flown[1], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("kind", [Steady, Pure])
def test_a_class_and_an_instance_fly_as_the_same_text_in_a_file_does(kind, tmp_path):
    file = tmp_path / "mine.py"
    body = textwrap.dedent(
        """
        from typing import NamedTuple
        import cupola

        class Count(NamedTuple):
            calls: float = 0.0

        class Steady(cupola.Controller):
            level = cupola.parameter(0.5, low=0.0, high=1.0)

            def step(self, obs, ref):
                return [self.level] * 4

        class Pure(cupola.Controller):
            level = cupola.parameter(0.5, low=0.0, high=1.0)
            State = Count

            @staticmethod
            def law(obs, ref, state, p):
                return (p.level, p.level, p.level, p.level), Count(state.calls + 1.0)
        """
    )
    file.write_text(body)
    ends = []
    for who in (f"{file}:{kind.__name__}", kind, kind(level=0.5)):
        world = cupola.load("quadcopter", controllers={"quadcopter": who})
        world.run(0.2)
        ends.append(world.motion())
    assert ends[0] == ends[1] == ends[2]
    harder = cupola.load("quadcopter", controllers={"quadcopter": kind(level=0.9)})
    harder.run(0.2)
    assert harder.motion().pos_w.z > ends[0].pos_w.z


def test_an_instance_stays_mine_to_look_at():
    class Watching(Steady):
        def reset(self):
            super().reset()
            self.seen = []

        def step(self, obs, ref):
            self.seen.append(float(obs.time))
            return super().step(obs, ref)

    mine = Watching()
    world = cupola.load("quadcopter", controllers={"quadcopter": mine})
    world.run(0.1)
    assert len(mine.seen) == 40
    world.reset()
    assert mine.seen == []


def test_what_an_instance_was_given_is_in_the_recording(tmp_path):
    world = cupola.load("quadcopter", controllers={"quadcopter": Steady(level=0.7)})
    own = world.scenario_now().vehicles[0].controller
    assert own is not None and own.parameters == {"level": 0.7}
    assert own.use == f"{Path(__file__).resolve()}:Steady"
    assert cupola.World(world.scenario_now(), trust=True).parameters["quadcopter.level"][1] == 0.7


@pytest.mark.parametrize("wrong", [5, None, dict, object(), "nobody"])
def test_what_cannot_fly_is_refused(wrong):
    with pytest.raises(cupola.InputError, match=r"controllers\[quadcopter\]"):
        cupola.load("quadcopter", controllers={"quadcopter": wrong})


def test_an_instance_without_its_base_is_told_so():
    class Forgetful(cupola.Controller):
        def __init__(self):
            pass

    with pytest.raises(cupola.InputError, match=r"Forgetful.__init__ must call super\(\).__init__\(\)"):
        cupola.load("quadcopter", controllers={"quadcopter": Forgetful()})


def test_one_instance_does_not_fly_two():
    two = Scenario(
        vehicles=[{"model": "quadcopter", "name": "a"}, {"model": "quadcopter", "name": "b", "position": [3, 0, 0]}]
    )
    mine = Steady()
    with pytest.raises(cupola.InputError, match="the same Steady cannot fly a and b"):
        cupola.World(two, controllers={"a": mine, "b": mine})
    cupola.World(two, controllers={"a": Steady(), "b": Steady})


# Modules beside a file


def test_modules_beside_a_controller_file_import_and_do_not_mix(tmp_path):
    for name, level in (("one", 0.2), ("two", 0.9)):
        folder = tmp_path / name
        (folder / "tools").mkdir(parents=True)
        (folder / "gains.py").write_text(f"LEVEL = {level}\n")
        (folder / "tools" / "__init__.py").write_text("")
        (folder / "tools" / "four.py").write_text("import gains\n\ndef four(x):\n    return [x * gains.LEVEL] * 4\n")
        (folder / "mine.py").write_text(
            "import cupola\nfrom tools.four import four\n\nclass Mine(cupola.Controller):\n"
            "    def step(self, obs, ref):\n        return four(1.0)\n"
        )

    def command(name):
        world = cupola.load("quadcopter", controllers={"quadcopter": f"{tmp_path / name / 'mine.py'}:Mine"})
        world.step()
        return world.command()[0]

    assert command("one") == 0.2
    assert command("two") == 0.9
    (tmp_path / "one" / "gains.py").write_text("LEVEL = 0.45  # edited\n")
    assert command("one") == 0.45


# Scenarios and vehicles


def test_a_scenario_is_built_of_what_people_write():
    scenario = Scenario(
        vehicles=[{"model": "quadcopter", "position": np.array([1.0, 2.0, 3.0])}],
        air={"wind": {"speed": np.float32(4.0), "from_deg": 90}},
        duration=np.int64(2),
    )
    assert scenario.vehicles[0].position == (1.0, 2.0, 3.0)
    assert scenario.air.wind is not None and scenario.air.wind.speed == 4.0
    world = cupola.load(scenario)
    assert world.motion().pos_w == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"vehicles": []}, r"Scenario: vehicles: expected at least 1 item\(s\), got 0"),
        ({"vehicles": [{"model": "quadcopter"}], "duration": -1}, "Scenario: duration: must be greater than 0, got -1"),
        ({"vehicles": [{"model": "quadcopter"}], "duration": "5"}, "duration: expected a number, got text '5'"),
        ({"vehicles": [{"model": "quadcopter"}], "duraton": 5}, r"duraton: unknown key \(did you mean 'duration'\?\)"),
        ({"vehicles": [{"model": "q", "position": [1, 2]}]}, r"vehicles\[0\].position: expected 3 items, got 2"),
        ({"vehicles": [{"model": "q", "position": [1, 2, 3, 4]}]}, r"vehicles\[0\].position: expected 3 items"),
        ({"vehicles": [{"model": "q"}], "air": {"wind": {"speed": -1}}}, "air.wind.speed: must be at least 0"),
        ({"vehicles": ["quadcopter"]}, r"vehicles\[0\]: expected a mapping"),
        ({"vehicles": [{"model": "q"}], "air": 5}, "air: expected a mapping"),
        ({"vehicles": [{"model": "q", "controller": {"use": 5}}]}, r"vehicles\[0\].controller.use: expected text"),
    ],
)
def test_a_wrong_scenario_is_told_as_in_a_file(given, said):
    with pytest.raises(cupola.InputError, match=said) as caught:
        Scenario(**given)
    assert "pydantic" not in str(caught.value)


def test_a_changed_copy_leaves_the_first_alone():
    square = cupola.Scenario.load("square")
    windy = square.with_({"air.wind.speed": 9.0, "vehicles[0].position": [0, 0, 1]}, duration=3.0)
    assert (windy.duration, windy.vehicles[0].position) == (3.0, (0.0, 0.0, 1.0))
    assert windy.air.wind is not None and windy.air.wind.speed == 9.0
    assert square == cupola.Scenario.load("square")
    assert windy.folder == square.folder
    cupola.load(windy).run(0.01)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("air.wnd.speed", r"air has no 'wnd' \(did you mean 'wind'\?\)"),
        ("vehicles[7].position", r"vehicles is a list of 1"),
        ("vehicles.position", r"vehicles is a list of 1"),
        ("air.wind.speed", r"air.wind is nothing"),
        ("about.more", r"about is '', which has no 'more'"),
        ("", r"is not a path"),
        ("a..b", r"is not a path"),
        ("measures.x.y", r"measures has no 'x'"),
    ],
)
def test_a_path_that_leads_nowhere_is_told(path, said):
    calm = Scenario(vehicles=[{"model": "quadcopter"}])
    with pytest.raises(cupola.InputError, match=said):
        calm.with_({path: 1.0})


def test_nothing_is_changed_in_place():
    square: Any = cupola.Scenario.load("square")
    with pytest.raises(cupola.InputError, match=r"duration cannot be changed; with_\(duration=...\)"):
        square.duration = 3.0


def test_a_vehicle_is_changed_and_flown_and_recorded(tmp_path):
    usual = cupola.Vehicle.load("quadcopter")
    heavier = usual.with_({"parts.motor1.generic.k_omega": 300.0})
    for wrong in ("radus", "generic.k_omga"):
        with pytest.raises(cupola.InputError, match=r"parts.motor1(.generic)? has no 'radus|k_omga' \(did you mean"):
            usual.with_({f"parts.motor1.{wrong}": 1.0})
    a, b = cupola.load("quadcopter"), cupola.load("quadcopter", vehicles={"quadcopter": heavier})
    for world in (a, b):
        world.run(0.5)
    assert a.motion() != b.motion()
    recorder = cupola.WorldRecorder(b, tmp_path / "b.mcap")
    recorder.close()
    written = tmp_path / "again" / "vehicle.yaml"
    written.parent.mkdir()
    texts = cupola.Recording(tmp_path / "b.mcap").attachments
    for key in ("vehicle.yaml", "model.xml"):
        (written.parent / key).write_text(texts[f"quadcopter/{key}"])
    again = cupola.Vehicle.load(written.parent)
    assert again.parts["motor1"] == heavier.parts["motor1"]


def test_a_vehicle_alone_is_a_world():
    world = cupola.load(cupola.Vehicle.load("quadcopter").with_({"start.position": [0, 0, 7]}))
    assert world.motion().pos_w.z == 7.0
    assert [one.name for one in world.instances] == ["quadcopter"]


def test_a_part_of_ones_own_class_pushes():
    usual = cupola.Vehicle.load("quadcopter")
    falling = {"controller": {"use": "idle"}, "start": {"position": [0, 0, 10]}}
    ends = []
    for push in (None, Push(site="base", force=30.0), {"kind": "rotor"}):
        if isinstance(push, dict):
            with pytest.raises(cupola.InputError, match=r"parts.push"):
                usual.with_({"parts.push": push})
            continue
        own = usual if push is None else usual.with_({"parts.push": push})
        world = cupola.load(own.with_(**falling))
        world.run(0.3)
        ends.append(world.motion().pos_w.z)
    assert ends[1] > ends[0] + 0.1


def test_parts_are_not_shared_between_worlds():
    mine = cupola.Vehicle.load("quadcopter")
    a, b = cupola.load(mine), cupola.load(mine)
    a.tune("quadcopter.motor1.k_omega", 300.0)
    a.run(0.3), b.run(0.3)
    assert a.motion() != b.motion()
    assert a.part("motor1").part is not b.part("motor1").part


@pytest.mark.parametrize("wrong", [{"quadcopter": 5}, {"quadcopter": "quadcopter"}, {"nobody": None}])
def test_what_is_no_vehicle_is_refused(wrong):
    with pytest.raises(cupola.InputError, match=r"vehicles\[quadcopter\]|no vehicle 'nobody'"):
        cupola.load("quadcopter", vehicles=wrong)


def test_entries_of_parts_know_their_kind():
    assert ControllerEntry(use="idle").rate_hz == 400.0
    with pytest.raises(cupola.InputError, match="Rotor: "):
        Rotor(site=5)
