"""The steady lattice: published values, near and far field, symmetry, turning the world."""

import math

import numpy as np
import pytest

from cupola.aerodynamics.grid import panels, tapered, whole
from cupola.aerodynamics.lattice import cores, steady_lattice
from cupola.aerodynamics.rings import add_sheet
from cupola.reproduce.morphing.lattice import slopes

FLOW = np.array([-math.cos(0.1), 0.0, math.sin(0.1)])


def test_the_textbooks_swept_wing():
    lift, _, _ = slopes(tapered(5.0, 1.0, 1.0, sweep=math.radians(45.0), chordwise=1, spanwise=4), 5.0)
    assert lift == pytest.approx(3.4442, abs=5e-5)


def test_a_long_wing_is_plane_flow_and_a_short_one_is_slender():
    lift, moment, _ = slopes(tapered(4000.0, 1.0, 1.0, chordwise=2, spanwise=4), 4000.0)
    assert lift == pytest.approx(2.0 * math.pi, rel=2e-3)
    assert moment == pytest.approx(-0.25 * lift, rel=2e-3)
    lift, _, _ = slopes(tapered(0.05, 1.0, 1.0, chordwise=20, spanwise=10), 0.05)
    assert lift == pytest.approx(0.5 * math.pi * 0.05, rel=0.06)  # ten panels across: ends count


def test_drag_near_the_wing_is_that_of_its_wake():
    _, _, ratio = slopes(tapered(6.0, 1.0, 1.0, chordwise=4, spanwise=12), 6.0)
    assert ratio == pytest.approx(1.0, abs=1e-5)


def test_a_half_and_its_mirror_are_the_whole():
    half = tapered(6.0, 1.0, 0.5, sweep=0.3, chordwise=3, spanwise=6)
    mirrored, full = steady_lattice(half, FLOW, mirror=True), steady_lattice(whole(half), FLOW)
    np.testing.assert_allclose(mirrored.force, full.force, atol=1e-9)
    np.testing.assert_allclose(mirrored.torque, full.torque, atol=1e-9)
    np.testing.assert_allclose(full.gamma[:, :6], full.gamma[:, :5:-1], atol=1e-12)
    assert mirrored.far_drag == pytest.approx(full.far_drag)


def test_turn_the_world_and_the_wing_and_nothing_changes():
    corners = whole(tapered(6.0, 1.0, 0.5, sweep=0.3, chordwise=3, spanwise=5))
    a, b = math.cos(0.7), math.sin(0.7)
    turn = np.array([[a, -b, 0.0], [b, a, 0.0], [0.0, 0.0, 1.0]]) @ np.array([[1, 0, 0], [0, a, -b], [0, b, a]])
    here, there = steady_lattice(corners, FLOW), steady_lattice(corners @ turn.T, turn @ FLOW)
    np.testing.assert_allclose(there.force, turn @ here.force, atol=1e-6)
    np.testing.assert_allclose(there.torque, turn @ here.torque, atol=1e-6)


def test_flow_is_tangent_to_the_panels():
    corners = whole(tapered(4.0, 1.0, 1.0, chordwise=3, spanwise=4))
    found = steady_lattice(corners, FLOW)
    lattice = panels(corners, 0.25 * (corners[-1] - corners[-2]))
    points = lattice.centres.reshape(-1, 3)
    speed = np.broadcast_to(FLOW, points.shape).copy()
    wake = np.stack([lattice.nodes[-1], lattice.nodes[-1] + 1e4 * 4.0 * FLOW])
    add_sheet(points, lattice.nodes, found.gamma, cores(lattice.nodes), False, speed)
    add_sheet(points, wake, found.gamma[-1:], cores(wake), False, speed)
    np.testing.assert_allclose((speed * lattice.normals.reshape(-1, 3)).sum(1), 0.0, atol=1e-9)


def test_one_ring_by_biot_and_savart():
    """In the middle of a square ring of side a the flow is 2 √2 Γ / (π a), down for a ring that lifts."""
    corners = np.array([[[0.5, -0.5, 0.0], [0.5, 0.5, 0.0]], [[-0.5, -0.5, 0.0], [-0.5, 0.5, 0.0]]])
    speed = np.zeros((1, 3))
    add_sheet(np.zeros((1, 3)), corners, np.array([[3.0]]), np.full(2, 1e-6), False, speed)
    np.testing.assert_allclose(speed, [[0.0, 0.0, -3.0 * 2.0 * math.sqrt(2.0) / math.pi]], atol=1e-9)


def test_a_core_smooths_only_what_is_near():
    corners = np.array([[[0.5, -0.5, 0.0], [0.5, 0.5, 0.0]], [[-0.5, -0.5, 0.0], [-0.5, 0.5, 0.0]]])
    points = np.array([[0.5, 0.0, 1e-3], [0.0, 0.0, 5.0]])
    sharp, smooth = np.zeros((2, 3)), np.zeros((2, 3))
    add_sheet(points, corners, np.ones((1, 1)), np.full(2, 1e-9), False, sharp)
    add_sheet(points, corners, np.ones((1, 1)), np.full(2, 0.05), False, smooth)
    assert abs(smooth[0, 0]) < 0.05 * abs(sharp[0, 0])
    np.testing.assert_allclose(smooth[1], sharp[1], rtol=1e-3, atol=1e-12)


def test_sideslip_makes_a_side_force_and_a_rolling_moment():
    """Flow along the span pulls at the tips; of a swept wing the forward half lifts more."""
    corners = whole(tapered(4.0, 1.0, 1.0, sweep=0.5, chordwise=3, spanwise=6))
    slip = np.array([0.0, 0.3, 0.0])
    left, right = steady_lattice(corners, FLOW + slip), steady_lattice(corners, FLOW - slip)
    assert abs(left.force[1]) > 1e-3 * left.force[2]
    assert left.force[1] == pytest.approx(-right.force[1], rel=1e-4)
    assert left.torque[0] == pytest.approx(-right.torque[0], rel=1e-4)
    # The air comes from the right (it moves to the left): the right half meets it more squarely and lifts more.
    assert left.torque[0] < -0.01 * left.force[2]


def test_drag_near_a_swept_wing_comes_to_that_of_its_wake_with_narrower_columns():
    """A force is taken at the middle of its edge; a swept one does not feel its mean downwash there."""
    flow = np.array([-10.0, 0.0, 0.1])

    def missing(columns, sweep):
        loads = steady_lattice(tapered(1.2, 0.2, 0.2, sweep=sweep, chordwise=8, spanwise=columns), flow, mirror=True)
        return 1.0 - float(loads.force @ flow) / np.linalg.norm(flow) / loads.far_drag

    coarse, fine = missing(12, 0.5), missing(24, 0.5)
    assert 0.005 < fine < 0.7 * coarse < 0.03
    assert abs(missing(12, 0.0)) < 1e-4


@pytest.mark.parametrize("taper", [0.17, 1.0])
@pytest.mark.parametrize(
    ("degrees", "least", "most"),
    [(-29, 0.09, 0.12), (-10, 0.03, 0.045), (10, -0.035, -0.02), (29, -0.1, -0.065), (45, -0.15, -0.1)],
)
def test_drag_near_a_swept_wing_with_columns_of_the_loop_is_off_as_the_page_says(degrees, least, most, taper):
    """They narrow towards the tip: too small near a wing swept back, too large near one swept forward."""
    flow = 10.0 * np.array([-np.cos(0.035), 0.0, np.sin(0.035)])
    root = 0.4 / (1.0 + taper)
    numbers = {"sweep": np.radians(degrees), "chordwise": 4, "spanwise": 12, "cosine": True}
    loads = steady_lattice(tapered(1.6, root, taper * root, **numbers), flow, mirror=True)
    assert least < float(loads.force @ flow) / 10.0 / loads.far_drag - 1.0 < most
