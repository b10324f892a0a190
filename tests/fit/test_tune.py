"""Gains by search, judged in worlds that the search has not seen."""

import numpy as np
import pytest

import cupola
from cupola import InputError
from cupola.fit.tune import Between, between, tune

pytest.importorskip("cmaes", reason="cmaes is not installed: pip install 'cupola[fit]'")
HOLD: dict = {
    "physics_hz": 400,
    "duration": 2.0,
    "air": {"wind": {"speed": 3.0, "from_deg": 250}},
    "vehicles": [
        {
            "model": "quadcopter",
            "position": [0, 0, 3],
            "mode": "assisted",
            "assisted": {
                "use": "multirotor_velocity",
                "rate_hz": 200,
                "channel": 4,
                "parameters": {"velocity_kp": 0.6, "position_kp": 0.3},
            },
        }
    ],
    "measures": {"off": "rms(norm(quadcopter.controller.assisted.error))", "highest": "max(quadcopter.position.z)"},
}
GAINS = {"quadcopter.assisted.velocity_kp": Between(0.4, 6.0), "quadcopter.assisted.position_kp": Between(0.2, 3.0)}


def test_gains_that_were_too_weak_become_firm_and_the_scenario_that_is_written_has_them():
    vary = {"quadcopter.base.mass": Between(0.9, 1.1), "air.wind_speed": Between(1.0, 4.0)}
    found = tune(cupola.Scenario(**HOLD), GAINS, "off", vary=vary, worlds=2, rounds=4)
    assert found.better
    assert np.mean(found.values_after) < 0.6 * np.mean(found.values_before)
    assert found.history == sorted(found.history, reverse=True)
    assert found.flights == 2 + 2 + 4 * 6 * 2 + 2 * 2
    again = cupola.load(found.scenario)
    for name, value in found.after.items():
        assert again.parameters[name][1] == pytest.approx(value)


def test_what_cannot_be_tuned_is_said():
    scenario = cupola.Scenario(**HOLD)
    with pytest.raises(InputError, match="there is no measure 'of'; the scenario has: off, highest"):
        tune(scenario, GAINS, "of")
    with pytest.raises(InputError, match="two gains or more"):
        tune(scenario, dict(list(GAINS.items())[:1]), "off")
    with pytest.raises(InputError, match="velocity_kq"):
        tune(scenario, {**GAINS, "quadcopter.velocity_kq": Between(0, 1)}, "off")
    for text in ("kp", "kp=1", "kp=1:x", "kp=2:1"):
        with pytest.raises(InputError, match="kp"):
            between(text)
