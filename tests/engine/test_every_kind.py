"""What every part has because it declares it, for every kind of the registry: none is forgotten when one is added."""

import math

import numpy as np
import pytest

from cupola import SimulationError
from cupola.engine.adapters import kernel_of
from cupola.kernel.records import flat, leaves
from cupola.parts import KINDS
from cupola.parts.part import Part
from cupola.parts.sensors.sensor import Sensor

from .every_kind import ENTRIES, SETTINGS, begin, declared_failures, setting_of

AHEAD = 300
ACTING = ("load", "actuate", "exchange")
ACTORS = [kind for kind, cls in KINDS.items() if not issubclass(cls, Sensor)]


@pytest.fixture
def alive(worlds):
    """The world of a kind after some ticks, and its part: the handle, and how it is bound."""

    def get(kind, ticks=200):
        world = worlds(setting_of(kind))
        world.step(ticks)
        bound = next(b for b in world.assembly.parts if b.name == kind)
        return world, world.part(f"it.{kind}"), bound

    return get


def all_numbers(world, bound):
    """Everything that changes of a part: outputs, state, and the newest sample of a sensor."""
    row = bound.row
    memory = world.arrays.state[int(row["memory"]) :][: int(row["memory_size"])]
    state = world.arrays.state[int(row["state"]) :][: len(leaves(bound.group.kind.State))]
    samples = world.samples.get(("it", bound.name))
    sampled = [] if samples is None else samples.numbers(samples.count - 1)[1:]
    shown = [getattr(world.arrays, one.array)[one.place] for one in bound.part.shown(row)]
    return [float(x) for x in (*shown, *state, *memory, *sampled)]


def test_every_kind_has_an_entry_and_a_world():
    assert set(ENTRIES) == set(KINDS)
    assert sorted(kind for setting in SETTINGS.values() for kind in setting.kinds) == sorted(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_it_does_something(alive, kind):
    """Otherwise the tests below would test nothing."""
    world, _, bound = alive(kind, 1)
    before = [*all_numbers(world, bound), *world.arrays.drive]
    world.step(200)
    assert [*all_numbers(world, bound), *world.arrays.drive] != before or kind == "air_bearing"  # which only loads


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_back_to_the_bit(worlds, digest, name, integrator):
    world = worlds(name, integrator=integrator)
    world.step(200)
    saved, at = world.snapshot(), digest(world)
    world.step(AHEAD)
    first = digest(world)
    world.restore(saved)
    assert digest(world) == at
    world.step(AHEAD)
    assert digest(world) == first
    begin(world, name)
    world.step(200)
    assert digest(world) == at  # nothing is left of a run after a reset


@pytest.mark.parametrize("kind", KINDS)
def test_its_signals(alive, kind):
    world, handle, bound = alive(kind)
    mine = {s.name.removeprefix(f"it.{kind}."): s for s in world.signals() if s.name.startswith(f"it.{kind}.")}
    assert all(signal.unit for signal in mine.values())
    cls = KINDS[kind]
    if issubclass(cls, Sensor):
        assert bool(mine) == cls.has_signals
        assert bound.part.messages("frame")
    elif kind in ("c", "fmu", "peer"):
        given, taken = bound.part.signals()
        assert list(mine) == [*given, *taken] and bound.part.recorded(bound.row) is not None
    elif cls.group().Output is None:
        assert not mine and bound.part.recorded(bound.row) is None
    else:
        chosen = getattr(bound.part, "show", {})  # values of its file that it shows beside its outputs
        assert list(mine) == [*leaves(cls.group().Output), *chosen] and bound.part.recorded(bound.row) is not None
        assert [world.signal(f"it.{kind}.{name}") for name in mine if name not in chosen] == flat(handle.outputs)
        assert all(math.isfinite(world.signal(f"it.{kind}.{name}")) for name in chosen)
    for name in mine:
        value = world.signal(f"it.{kind}.{name}")
        assert isinstance(value, float) and (not math.isnan(value) or issubclass(cls, Sensor))


@pytest.mark.parametrize(("kind", "failure"), declared_failures())
def test_it_breaks_and_is_mended(alive, digest, kind, failure):
    world, handle, bound = alive(kind)
    row, saved = bound.row.copy(), world.snapshot()
    rings = world.assembly.entries.sensors.copy()
    world.step(AHEAD)
    whole, end = all_numbers(world, bound), digest(world)
    world.restore(saved)
    world.fail(f"it.{kind}", failure)
    samples = world.samples.get(("it", kind))
    taken = samples.count if samples else 0
    world.step(AHEAD)
    if failure == "loss":
        assert samples.count > taken and len(samples.since(taken)) == 0
    elif samples and failure == "stuck":
        assert samples.count > taken
        numbers = samples.since(taken - 1)[:, 1:]
        np.testing.assert_array_equal(numbers, np.broadcast_to(numbers[0], numbers.shape))
    elif KINDS[kind].fail is Part.fail:
        assert set(flat(handle.outputs)) == {0.0}  # off: it exerts nothing, and says so
    else:
        assert all_numbers(world, bound) != whole
    assert digest(world) != end
    world.fail(f"it.{kind}", failure, 0.0)
    ours = [name for name in bound.rows.dtype.names if name not in bound.part.set_by_world]
    assert (bound.row[ours] == row[ours]).all() and (world.assembly.entries.sensors == rings).all()
    world.restore(saved)
    world.step(AHEAD)
    assert digest(world) == end


def poisonable(kind, bound):
    """Numbers of its row and its state, by name."""
    row = [("row", name) for numbers in bound.group.kind.Numbers for name in numbers._fields]
    state = [("state", name) for name in leaves(bound.group.kind.State)]
    memory = [("memory", str(k)) for k in range(min(3, int(bound.row["memory_size"])))]
    table = [("constants", str(k)) for k in range(4)] if kind == "mixer" else []  # all that it knows of its rotors
    return [*row, *state, *memory, *table]


@pytest.mark.parametrize("kind", ACTORS)
def test_a_nan_is_blamed_on_it_by_name(alive, kind):
    """Each of its numbers in turn is not a number: either nothing reads it, or the error names this part."""
    world, handle, bound = alive(kind)
    assert any(kernel_of(bound.group.kind, stage, bound.group.variant) for stage in ACTING)
    saved, rows, constants = world.snapshot(), bound.rows.copy(), world.arrays.constants.copy()
    blamed, silent, wrong = [], [], {}
    for where, name in poisonable(kind, bound):
        if where == "row":
            setattr(handle.row, name, math.nan)
        elif where == "state":
            handle.set_state(**{name: math.nan})
        elif where == "memory":
            world.arrays.state[int(bound.row["memory"]) + int(name)] = math.nan
        else:
            world.arrays.constants[int(bound.row["start"]) + int(name)] = math.nan
        try:
            world.step(5)
            silent.append(name)
        except SimulationError as error:
            if f"part '{kind}' ({kind}) of 'it'" in str(error):
                blamed.append(name)
            else:
                wrong[f"{where}.{name}"] = str(error).partition(";")[0]
        bound.rows[...], world.arrays.constants[...] = rows, constants
        world.restore(saved)
    assert not wrong, wrong
    assert blamed
