"""The plane with sliding wings: it flies, the span follows the speed, and mass and air follow the span."""

import numpy as np
import pytest

import cupola


@pytest.fixture(scope="module")
def survey():
    world = cupola.load("morphing_survey")
    rows = []
    while world.time < 100.0:
        world.run(0.5)
        wing = world.model.body("morphing_uav/left_wing").id
        arm = world.model.body_ipos[wing][1]
        height, speed = world.signal("morphing_uav.position.z"), world.signal("morphing_uav.speed")
        rows.append((world.time, height, speed, world.signal("morphing_uav.drive.4"), arm))
    return np.array(rows), world


def test_slow_with_its_wings_out_and_fast_with_them_in(survey):
    time, height, speed, span, arm = survey[0].T
    slow, fast = (time > 30) & (time < 65), time > 85
    assert abs(height - 60.0).max() < 2.0
    assert speed[slow] == pytest.approx(13.0, abs=0.4) and speed[fast] == pytest.approx(25.0, abs=0.4)
    assert span[slow].min() == 1.0 and span[fast].max() == 0.0
    assert arm[slow] == pytest.approx(0.37 * 1.75, rel=1e-9) and arm[fast] == pytest.approx(0.37, rel=1e-9)


def test_the_sliders_take_their_time(survey):
    time, span = survey[0][:, 0], survey[0][:, 3]
    assert np.abs(np.diff(span) / np.diff(time)).max() == pytest.approx(0.25, rel=1e-6)


def test_a_right_span_flies_further():
    from cupola.reproduce.morphing.range import rows

    assert [row.id for row in rows(False) if not row.passed] == []


def test_the_best_span_lies_where_the_closed_form_says_and_sweep_does_not_pay():
    """`cupola reproduce morphing --full` lets an optimiser look; wings a third of the travel away take more."""
    from cupola.reproduce.morphing.envelope import BETWEEN, straight
    from cupola.reproduce.morphing.range import cruise

    span = straight(BETWEEN)
    assert 0.3 < span < 0.8 and straight(14.0) > 0.99 and straight(25.0) < 0.01
    least = cruise(BETWEEN, span).power
    for other, sweep in ((span - 0.35, 0.0), (min(span + 0.35, 1.0), 0.0), (span, 0.4)):
        assert cruise(BETWEEN, other, sweep).power > 1.001 * least
