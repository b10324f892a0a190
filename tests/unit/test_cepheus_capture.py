"""The dice of the captures: fair, within their bounds, the same again; and the bound of a share."""

import math

import numpy as np
import pytest

from cupola.physics.planar import Pose
from cupola.physics.space_arm import LISTING
from cupola.reproduce.cepheus import capture as cepheus_capture
from cupola.reproduce.cepheus import capture_map
from cupola.reproduce.cepheus.capture import (
    AHEAD,
    ENVELOPE,
    MANY,
    START,
    TWICE,
    Capture,
    chance_meeting,
    lower_wilson,
    rows,
)
from cupola.reproduce.cepheus.capture_map import Flight, cell_of, figure_of, place_of, shares
from cupola.reproduce.cepheus.run import reach_of


def test_targets_are_anywhere_within_the_bounds_and_reach_them():
    hand = reach_of(LISTING, START)
    middle = np.array([hand.x + AHEAD * math.cos(hand.yaw), hand.y + AHEAD * math.sin(hand.yaw)])
    found = [chance_meeting(seed) for seed in range(400)]
    offsets = np.array([[m.grip.x, m.grip.y] for m in found]) - middle
    for values, most in (
        (np.linalg.norm(offsets, axis=1), 0.05),
        (np.linalg.norm([m.drift for m in found], axis=1), 0.02),
        (np.abs([m.spin for m in found]), math.radians(2.0)),
        (np.abs([m.grip.yaw - hand.yaw for m in found]), math.radians(10.0)),
    ):
        assert 0.97 * most < values.max() <= most
    assert np.abs(offsets.mean(axis=0)).max() < 0.005
    assert chance_meeting(7) == chance_meeting(7) != chance_meeting(8)


def test_the_lower_bound_of_a_share():
    assert lower_wilson(20, 20) == pytest.approx(1.0 / (1.0 + 1.96**2 / 20), rel=1e-12)
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    assert lower_wilson(81, 263) == pytest.approx(0.2553, abs=5e-5)
    assert lower_wilson(15, 148) == pytest.approx(0.0624, abs=5e-5)


@pytest.mark.parametrize(("missed", "passed"), [(1, True), (2, False)])
def test_two_misses_of_twenty_are_too_many(monkeypatch, missed, passed):
    monkeypatch.setattr(cepheus_capture, "capture", lambda meeting: Capture(meeting.seed >= missed, 0.0, 0.0, 0.0, ""))
    row, yaw = rows(False)
    assert yaw.passed and row.passed is passed and f"{20 - missed} of 20" in row.quantity


@pytest.mark.parametrize(("missed", "passed"), [(3, True), (4, False)])
def test_the_long_study_wants_197_of_200(monkeypatch, missed, passed):
    done = Capture(True, 0.0, math.radians(0.5), 0.0, "end")
    monkeypatch.setattr(cepheus_capture, "capture", lambda meeting: done._replace(caught=meeting.seed >= missed))
    share, yaw = rows(True)
    assert share.passed is passed and f"{MANY - missed} of {MANY}" in share.quantity
    assert yaw.passed and yaw.measured == pytest.approx(0.5)


def flown(count, where):
    """Captures that fail where something holds of their place."""
    for seed in range(count):
        meeting = chance_meeting(seed, TWICE)
        fails = where(place_of(meeting))
        yield Flight(meeting, Capture(not fails, 8.0, 0.0, 0.0, "failed: not caught" if fails else "end"))


def test_a_target_is_placed_in_the_axes_of_the_hand():
    hand, meeting = reach_of(LISTING, START), chance_meeting(3, TWICE)
    there = Pose(hand.x + 0.1 * math.cos(hand.yaw), hand.y + 0.1 * math.sin(hand.yaw), hand.yaw + 0.2)
    drift = (-0.03 * math.sin(hand.yaw), 0.03 * math.cos(hand.yaw))  # to the left
    place = place_of(meeting._replace(grip=there, drift=drift, spin=0.01))
    assert place == pytest.approx((0.1 - AHEAD, 0.0, 0.2, 0.0, 0.03, 0.01))
    assert place.later(10.0) == pytest.approx((0.1 - AHEAD, 0.3, 0.3))
    assert place.share() == pytest.approx(1.5)  # its drift


def test_twice_the_envelope_says_where_captures_fail_and_draws_it(monkeypatch, tmp_path):
    some = list(flown(200, lambda place: math.hypot(place.drift_ahead, place.drift_left) > 0.035))
    monkeypatch.setattr(capture_map, "fly_map", lambda: some)
    cells = {row.id: row for row in capture_map.rows(True, tmp_path)}
    assert all(row.passed for row in cells.values())
    fast = {name for name, row in cells.items() if row.measured != 1.0}
    assert len(cells) == 4 and fast == {"cepheus_twice_near_fast", "cepheus_twice_far_fast"}
    assert "not caught" in cells["cepheus_twice_far_fast"].quantity
    assert (tmp_path / "cepheus_map.png").read_bytes()[:4] == b"\x89PNG"
    unsaid = [one._replace(done=one.done._replace(caught=False, state="contact")) for one in some]
    monkeypatch.setattr(capture_map, "fly_map", lambda: unsaid)
    assert not any(row.passed for row in capture_map.rows(True, tmp_path))
    assert not list(capture_map.rows(False))


def test_the_map_shows_every_flight_where_it_began_and_counts_by_rings():
    some = list(flown(120, lambda place: place.share() > 1.8))
    counted = shares(some)
    assert sum(trials for _, _, trials in counted) == 120 and counted[-1][1] < counted[-1][2]
    assert all(caught == trials for _, caught, trials in counted[:-1])
    figure = figure_of(some)
    drifts = figure.axes[2]
    shown = {line.get_label(): line.get_xdata() for line in drifts.lines}
    failed = [100.0 * place_of(one.meeting).drift_ahead for one in some if not one.done.caught]
    assert shown["failed, and said so"] == pytest.approx(failed) and len(shown["captured"]) == 120 - len(failed)


def test_twice_the_envelope_reaches_twice_as_far_and_motors_are_real():
    found = [chance_meeting(seed, TWICE) for seed in range(200)]
    assert max(np.hypot(*m.drift) for m in found) > 1.9 * ENVELOPE.drift
    assert {cell_of(m) for m in found} == {"near_slow", "near_fast", "far_slow", "far_fast"}
    assert {cell_of(chance_meeting(seed)) for seed in range(50)} == {"near_slow"}
    assert all(part["model"] == "geared" for m in found for part in m.parts.values())


def test_a_target_that_leaves_the_reach_of_the_arm_is_met_in_time_by_real_motors():
    """The wheel gave less than was asked for, the arm's reaction turned the base by half a turn."""
    one = cepheus_capture.capture(chance_meeting(9127))
    assert one.caught and one.base < math.radians(1.0)
