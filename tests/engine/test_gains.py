"""Every number of every controller that ships, at its ends, at and next to 0, and equal to each other number."""

import json
from typing import Any

import numpy as np
import pytest

import cupola
from cupola import InputError, Scenario
from cupola.control import CONTROLLERS

NEXT_TO_NOTHING = (0.0, -0.0, 1e-9, -1e-9, 5e-324)
ELSEWHERE = ("remote", "ardupilot", "betaflight", "px4", "xplane")
"""Their laws run in programs of others."""
SHIPPED = {
    "mecanum_drive": "omni_manual", "avoider": "omni_room", "mecanum_route": "omni_solo",
    "multirotor_land_on": "landing_on_base", "morphing_waypoints": "morphing_survey", "plane_hold": "cessna_cruise",
    "space_impedance_by_force": "cepheus_by_force", "space_impedance_by_time": "cepheus_by_time",
    "space_mission": "cepheus_capture", "space_mission_simulated": "cepheus_simulation", "space_pd": "cepheus_pd",
    "stroke": "flapper", "hexacopter_pd": "hexacopter",
    "quadcopter_waypoints": "quadcopter", "vtol_waypoints": "vtol", "plane_waypoints": "cessna",
    "multirotor_velocity": "crazyflie", "helicopter_waypoints": "xcell", "idle": "cepheus",
    "pass_through": "aerosonde",
}  # fmt: skip
"""A model or scenario that flies with it."""
OTHERS = {
    "direct": "quadcopter", "key_steps": "cessna", "quadcopter_pd": "quadcopter", "multirotor_waypoints": "crazyflie",
    "multirotor_geometric": "crazyflie", "helicopter_velocity": "xcell", "mecanum_wheels": "velma_base",
    "cessna_presets": "cessna", "vtol_velocity": "vtol", "space_impedance": "cepheus_sim",
}  # fmt: skip
"""A model that can be given it."""


def controlled(name: str) -> tuple[Any, Any]:
    """A world in which a controller flies, and what calls it."""
    if name in OTHERS:
        one = {"model": OTHERS[name], "controller": {"use": name}}
        reached = (
            [{"model": "cepheus_cube", "name": "target", "position": [0.76, -0.25, 0]}]
            if name.startswith("space")
            else []
        )
        world = cupola.load(
            Scenario.model_validate_json(json.dumps({"vehicles": [one, *reached], "floor": None, "gravity": 0}))
        )
    else:
        world = cupola.load(SHIPPED[name])
    for instance in world.instances:
        runner = world.runner(instance.name)
        for one in (runner, *getattr(runner, "pilots", ())):
            if f"{type(one.controller).__module__}:{type(one.controller).__name__}" == CONTROLLERS[name]:
                return world, one
    raise AssertionError(f"nothing in that world is controlled by {name}")


def tried(controller: Any) -> Any:
    """Names and values, each allowed by the declaration."""
    now = {name: controller.value_of(name) for name in controller.parameters}
    for name, one in controller.parameters.items():
        same = {now[other] for other in now if controller.parameters[other].unit == one.unit}
        for value in sorted({one.low, one.high, *NEXT_TO_NOTHING, *same}):
            if one.low <= value <= one.high:
                yield name, now[name], value


@pytest.mark.parametrize("name", sorted(set(CONTROLLERS) - set(ELSEWHERE)))
def test_any_allowed_number_of_a_controller_gives_commands_that_are_numbers(name: str) -> None:
    world, runner = controlled(name)
    world.step(round(0.02 / world.dt))
    controller = runner.controller
    for parameter, before, value in tried(controller):
        try:
            controller.set(parameter, value)
            controller.on_tune(parameter)
        except (ValueError, InputError) as error:  # refused with a sentence
            assert parameter.partition("[")[0] in str(error), (parameter, value, str(error))
        else:
            controller.state = runner.state_now()
            runner.act()
            assert np.all(np.isfinite(runner.command)), f"{parameter} = {value}: {runner.command}"
        controller.set(parameter, before)
        controller.on_tune(parameter)
