"""Films of gas, nozzles, bottles."""

import math

import pytest

from cupola.physics.gas import STANDARD_GRAVITY, VISCOSITY, dry_drag, film_drag, gas_flow, supply_share


def test_drag_of_a_film_is_that_of_a_couette_flow():
    area = math.pi * 0.019**2
    assert film_drag(0.038, 5e-6, VISCOSITY) == pytest.approx(VISCOSITY * area / 5e-6)
    assert 3e-3 < film_drag(0.038, 5e-6, VISCOSITY) < 4e-3
    assert film_drag(0.038, 1e-5, VISCOSITY) == pytest.approx(0.5 * film_drag(0.038, 5e-6, VISCOSITY))


def test_dry_drag_opposes_and_saturates():
    assert dry_drag(1.0, 8.0, 0.002) == pytest.approx(-8.0)
    assert dry_drag(-1.0, 8.0, 0.002) == pytest.approx(8.0)
    assert dry_drag(0.0, 8.0, 0.002) == 0.0


def test_specific_impulse_is_impulse_per_weight():
    flow = gas_flow(0.6, 45.0)
    assert 0.6 / (flow * STANDARD_GRAVITY) == pytest.approx(45.0)


@pytest.mark.parametrize(("mass", "share"), [(0.0, 0.0), (0.002, 0.5), (0.004, 1.0), (0.04, 1.0)])
def test_a_regulator_holds_down_to_its_reserve(mass, share):
    assert supply_share(mass, 0.004) == pytest.approx(share)
