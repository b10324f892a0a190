"""Every number of a file has bounds: one that means nothing is found in the file, with its name, and not in the air."""

import copy
import json
import typing
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic_core import PydanticUndefined

from cupola.config.scenario import Scenario
from cupola.config.vehicle import UserPart, Vehicle
from cupola.learn.task import Task
from cupola.many.study import Study
from cupola.parts import KINDS
from cupola.schema.limits import NOT_NEGATIVE, POSITIVE
from cupola.schema.yaml_files import Entry
from cupola.teleop.hid import HidMap
from cupola.teleop.stick_file import StickFile

HUGE = 1e30
CHECKED_ELSEWHERE = {
    ("VehicleEntry", "parts"): "each is checked as the field of the part that it names",
    ("UserPart", "written"): "the class of the user's says",
    ("UserPart", "given"): "the class of the user's says",
}


def parts_of(kind, seen):
    """Every entry and group of numbers that a type holds."""
    if isinstance(kind, type) and kind in seen:
        return
    if isinstance(kind, type) and issubclass(kind, Entry):
        seen.add(kind)
        for info in kind.model_fields.values():
            parts_of(info.annotation, seen)
    elif is_group(kind):
        seen.add(kind)
    for inner in typing.get_args(kind):
        parts_of(inner, seen)


def is_group(kind):
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def huge_values(kind):
    """Values of a type in which one number is huge, one for each number that it has."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is float:
        yield from (HUGE, -HUGE)
    elif kind is int:
        yield from (10**15, -(10**15))
    elif is_group(kind):
        whole = {name: kind._field_defaults.get(name, 1.0) for name in kind._fields}
        for name, hint in typing.get_type_hints(kind).items():
            for value in huge_values(hint):
                yield kind(**{**whole, name: value})
    elif origin is typing.Annotated:
        yield from huge_values(inner[0])
    elif origin is tuple and Ellipsis not in inner:
        for k, one in enumerate(inner):
            for value in huge_values(one):
                yield tuple(value if j == k else 0.5 for j in range(len(inner)))
    elif origin is list:
        yield from ([value] for value in huge_values(inner[0]))
    elif origin is dict:
        yield from ({"a": value} for value in huge_values(inner[1]))
    elif origin is not tuple and origin is not typing.Literal:
        for one in inner:
            yield from huge_values(one)


FOUND: set[Any] = set()
for each in (*KINDS.values(), Scenario, Vehicle, UserPart, Study, Task, HidMap, StickFile):
    parts_of(each, FOUND)
ENTRIES = sorted((kind for kind in FOUND if not is_group(kind)), key=lambda kind: kind.__name__)
GROUPS = sorted((kind for kind in FOUND if is_group(kind)), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", ENTRIES, ids=lambda kind: kind.__name__)
def test_no_number_of_any_entry_may_be_huge(kind):
    blank = kind.__new__(kind)  # nothing is checked, and what is required is missing
    content = {name: info.get_default(call_default_factory=True) for name, info in kind.model_fields.items()}
    content = {name: None if value is PydanticUndefined else value for name, value in content.items()}
    empty = {"__dict__": content, "__pydantic_fields_set__": set(), "__pydantic_extra__": None}
    for name, value in {**empty, "__pydantic_private__": None}.items():
        object.__setattr__(blank, name, value)
    for name, info in kind.model_fields.items():
        if (kind.__name__, name) in CHECKED_ELSEWHERE:
            continue
        for value in huge_values(info.annotation):
            with pytest.raises(ValidationError, match=name):
                kind.__pydantic_validator__.validate_assignment(copy.copy(blank), name, value)


def test_the_walk_finds_what_there_is():
    assert len(ENTRIES) > 45 and len(GROUPS) >= 9
    assert {kind.__name__ for kind in GROUPS} == set(POSITIVE) == set(NOT_NEGATIVE)
    for kind in GROUPS:
        assert {*POSITIVE[kind.__name__], *NOT_NEGATIVE[kind.__name__]} <= set(kind._fields)


@pytest.mark.parametrize("kind", GROUPS, ids=lambda kind: kind.__name__)
def test_what_must_be_positive_is(kind):
    from cupola.schema.limits import beyond_limits

    whole = {name: kind._field_defaults.get(name, 1.0) for name in kind._fields}
    assert not list(beyond_limits({"it": (kind(**whole), "")}))
    for names, wrong in ((POSITIVE, 0.0), (POSITIVE, -1.0), (NOT_NEGATIVE, -1.0)):
        for name in names[kind.__name__]:
            (said,) = beyond_limits({"it": (kind(**{**whole, name: wrong}), "")})
            assert said.startswith(f"it.{name} must be")


AIR = [
    ({"turbulence": {"sigma": [1, 1, 1], "length": [0, 533, 533]}}, "air.turbulence.length[0]: must be at least 0.1"),
    ({"turbulence": {"sigma": [1, 1, 1], "length": [533, -5, 533]}}, "air.turbulence.length[1]: must be at least 0.1"),
    ({"turbulence": {"sigma": [1, -1, 1]}}, "air.turbulence.sigma[1]: must be at least 0"),
    ({"wind": {"speed": 10_000, "from_deg": 0}}, "air.wind.speed: must be at most 150"),
    ({"wind": {"speed": 1, "from_deg": 0, "up": -1e5}}, "air.wind.up: must be at least -150"),
    ({"gusts": [{"start": 0, "rise": 1, "velocity": [0, 0, 999]}]}, "air.gusts[0].velocity[2]: must be at most 150"),
    ({"altitude": -1e6}, "air.altitude: must be at least -5000"),
    ({"temperature_offset": -300}, "air.temperature_offset: must be at least -150"),
    ({"density": 1e9}, "air.density: must be at most 2000"),
]


@pytest.mark.parametrize(("air", "said"), AIR, ids=[said.partition(":")[0] for _, said in AIR])
def test_air_that_cannot_be_is_found_by_check(cupola, air, said):
    Path("s.yaml").write_text(json.dumps({"vehicles": [{"model": "quadcopter"}], "air": air}))
    answer = cupola("check", "s.yaml")
    assert answer.code == 2 and said in answer.err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"slope_deg": [80, 80]}, "a table cannot rise by 80° along x and 80° along y"),
        ({"gravity": 1e6}, "gravity: must be at most 1000"),
        ({"duration": 1e12}, "duration must lie within ±1e+09 s, got 1e+12"),
        ({"vehicles": [{"model": "quadcopter", "position": [0, 0, 1e12]}]}, "position[2] must lie within ±1e+08 m"),
        (
            {"vehicles": [{"model": "quadcopter", "parts": {"motor1": {"k_omega": -3.0}}}]},
            "generic.k_omega must be greater than 0, got -3",
        ),
    ],
)
def test_other_numbers_that_cannot_be(cupola, more, said):
    Path("s.yaml").write_text(json.dumps({"vehicles": [{"model": "quadcopter"}], **more}))
    answer = cupola("check", "s.yaml")
    assert answer.code == 2 and said in answer.err, answer.err


def test_what_is_at_the_edge_of_the_air_flies(cupola):
    """The least and the most that `check` lets through is simulated without a number that is none."""
    air = {
        "altitude": -5000,
        "temperature_offset": 150,
        "wind": {"speed": 150, "from_deg": 30, "up": 150},
        "turbulence": {"sigma": [150, 150, 150], "length": [0.1, 0.1, 0.1]},
    }
    Path("s.yaml").write_text(json.dumps({"vehicles": [{"model": "quadcopter"}], "air": air}))
    answer = cupola("run", "s.yaml", "--duration", "0.2", "--no-record", "--json")
    assert answer.code == 0 and None not in answer.json["vehicles"]["quadcopter"].values(), answer.err


def test_a_plan_that_asks_for_more_than_the_aircraft_does_says_so(caplog):
    from cupola import load

    load("plane_circuit")
    assert "keeps within" not in caplog.text
    from cupola.config.scenario import find_scenario
    from cupola.sim.world import World

    scenario, folder = find_scenario("plane_circuit")
    entry = scenario.vehicles[0]
    plan = tuple(way.model_copy(update={"speed": 900.0}) for way in entry.controller.plan)
    fast = entry.model_copy(update={"controller": entry.controller.model_copy(update={"plan": plan})})
    World(scenario.model_copy(update={"vehicles": (fast,)}), folder)
    (said,) = [record.getMessage() for record in caplog.records if "keeps within" in record.getMessage()]
    assert "asks for 900 m/s" in said
