"""Routes: files in two views, absolute times, and where they lead."""

import math

import numpy as np
import pytest

from cupola.config.routes import ROUTES, Leg, find_route, read_route, route_end, route_sticks, shipped_routes
from cupola.control.mecanum.route import MecanumRoute, RouteState
from cupola.kernel.memory import STICKS
from cupola.kernel.observation import Reference, observation_in
from cupola.kernel.rows import OBSERVATION
from cupola.physics.mecanum import pose_in_thesis
from cupola.physics.planar import Pose, Twist, advance
from cupola.schema.yaml_files import InputError


def corners(name):
    """Places in the thesis's axes after each leg."""
    pose, places = Pose(0.0, 0.0, 0.0), []
    for leg in find_route(name):
        pose = advance(pose, leg.twist, leg.duration)
        places.append(pose_in_thesis(pose))
    return places


def test_the_sun_route_is_two_concentric_circles():
    """Radius 1 and 2 m about (0, 2), closed after 96 s and a full turn: corners as printed."""
    places = corners("sun")
    r = math.sqrt(0.5)
    expected = [(0.0, 0.0), (0.0, 1.0), (r, 2 - r), (2 * r, 2 - 2 * r), (2.0, 2.0)]
    assert [place[:2] for place in places[:5]] == pytest.approx([pytest.approx(e, abs=1e-7) for e in expected])
    assert places[-1] == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    assert route_end(find_route("sun")) == 101.0


def test_the_route_as_the_text_has_it_is_longer_and_closes_too():
    assert route_end(find_route("sun_5s")) == 5.0 + 104.0
    assert corners("sun_5s")[-1] == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("square_5", [(1, 0), (1, 1), (0, 1), (0, 0)]),
        ("square_10", [(1, 0), (1, 1), (0, 1), (0, 0)]),
        ("square_20", [(1, 0), (1, 1), (0, 1), (0, 0)]),
        ("velmobil", [(-1, 0), (-1, -1), (0, -1), (0, 0)]),
        ("velmobil_rotation", [(-1, 0), (-1, 0), (-1, -1), (-1, -1), (0, -1), (0, -1), (0, 0), (0, 0)]),
        ("example", [(0.64 * 2 / math.sqrt(5), 0.64 / math.sqrt(5))] * 3),
        ("squarex5", [(1, 0), (1, 1), (0, 1), (0, 0)] * 5),
        ("halfsquare", [(1, 0), (1, 1)]),
        ("halfdelicate", [(1.38, 1.38)]),  # 1 m at 0.2 m/s, and a ramp of 0.19 m before and after it
        ("halflessdelicate", [(1.18, 1.18)]),
        ("delicate", [(0, 0)]),
        ("velmobil_stoprotation", [(-1, 0)] * 4 + [(-1, -1)] * 4 + [(0, -1)] * 4 + [(0, 0)] * 4),
        ("invelmobil_rotation", [(1, 0), (1, 0), (1, -1), (1, -1), (0, -1), (0, -1), (0, 0), (0, 0)]),
    ],
)
def test_routes_lead_where_the_thesis_drew_them(name, expected):
    moving = corners(name)[-len(expected) :]
    assert [place[:2] for place in moving] == [pytest.approx(e, abs=1e-9) for e in expected]


@pytest.mark.parametrize(
    ("name", "seconds", "turned"),
    [("snake", 18, 0.0), ("star", 24, 24 * 0.4), ("spiral", 110, 0.5 * sum(16 / (40 + k) for k in range(220)))],
)
def test_routes_that_turn_all_the_time_turn_by_what_the_thesiss_files_say(name, seconds, turned):
    legs = find_route(name)
    assert route_end(legs) == pytest.approx(5.0 + seconds)
    assert sum(leg.duration * leg.twist.yaw for leg in legs) == pytest.approx(turned, abs=1e-4)


def test_every_shipped_route_is_checked_here():
    assert set(shipped_routes()) == {
        "delicate", "example", "halfdelicate", "halflessdelicate", "halfsquare", "invelmobil_rotation", "snake",
        "spiral", "square_10", "square_20", "square_5", "squarex5", "star", "sun", "sun_5s", "velmobil",
        "velmobil_rotation", "velmobil_stoprotation",
    }  # fmt: skip


def test_a_file_of_the_thesis_is_read_in_its_view(tmp_path):
    path = tmp_path / "route"
    path.write_text("5 0 0 0\n\n2.5   0.1 0.2\t-0.3\n")
    legs = read_route(path, view="thesis")
    assert legs == [Leg(5.0, Twist(0.0, 0.0, 0.0)), Leg(2.5, Twist(0.2, -0.1, -0.3))]


@pytest.mark.parametrize(
    "text",
    ["5 0 0 0\n2 0.1 0.2 0\n", "5\t0\t0\t0\n", "duration_s,vx_m_s,vy_m_s,wz_rad_s\n2,0.1,0,0\n", "t x y z\n2 1 0 0\n"],
)
def test_a_file_whose_axes_are_not_known_is_refused_until_the_view_is_said(tmp_path, text):
    """Those of the thesis, read as ours, drove turned by a quarter."""
    path = tmp_path / "route"
    path.write_text(text)
    with pytest.raises(InputError, match=r"axes are not known; say --view .*body.*thesis"):
        read_route(path)
    ours, theirs = (read_route(path, view)[-1].twist for view in ("body", "thesis"))
    assert (theirs.x, theirs.y) == (ours.y, -ours.x)


@pytest.mark.parametrize("text", ["2,0.1,0,0\n", "duration vx vy wz\n2 0.1 0 0\n", "Duration,VX,vy,WZ\n2,0.1,0,0\n"])
def test_a_file_in_our_form_is_in_body_axes(tmp_path, text):
    path = tmp_path / "route"
    path.write_text(text)
    assert read_route(path) == [Leg(2.0, Twist(0.1, 0.0, 0.0))]


def test_a_shipped_route_is_not_turned_by_a_view():
    with pytest.raises(InputError, match="'sun' ships in body axes"):
        find_route("sun", view="thesis")
    assert find_route("sun", view="body") == find_route("sun")


def test_times_are_absolute_and_zeros_end_it():
    legs = [Leg(0.1, Twist(0.1 * k, 0.0, 0.0)) for k in range(10)]
    rows = route_sticks(legs, start=0.3)
    assert [time for time, _ in rows] == [math.fsum([0.3] + [0.1] * k) for k in range(11)]
    assert rows[-1] == (1.3, [0.0, 0.0, 0.0])
    assert rows[3][1] == pytest.approx([0.3, 0.0, 0.0])


def test_the_law_turns_them_into_wheel_speeds_of_the_radius_it_believes_in():
    sticks = [0.0, 0.1, 0.0] + [0.0] * (STICKS - 3)
    nothing = observation_in(np.zeros((), OBSERVATION))
    controller = MecanumRoute(wheels_radius=0.1, sum_of_robot_center_projection_on_X_Y_axis=0.74, roller_slope=1.0)
    command = controller.step(nothing, Reference(sticks, []))
    assert command == pytest.approx((1.0, -1.0, 1.0, -1.0))
    assert "0.1 m/s left" in MecanumRoute().mission(nothing, Reference(sticks, []), RouteState())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "holds no legs"),
        ("duration,vx,vy,wz\n", "holds no legs"),
        ("1,0.1,0\n", r"route:1: expected duration, vx, vy, wz"),
        ("1,0.1,0,0\n1,a,0,0\n", r"route:2: expected duration.*got 1 a 0 0"),
        ("1,nan,0,0\n", r"finite numbers"),
        ("-1,0,0,0\n", r"at least 0, got -1"),
    ],
)
def test_a_bad_file_is_told_where(tmp_path, text, complaint):
    path = tmp_path / "route"
    path.write_text(text)
    with pytest.raises(InputError, match=complaint):
        read_route(path)


def test_unknown_routes_and_views_are_named():
    with pytest.raises(InputError, match=r"no route 'moon'; shipped are delicate, .*sun"):
        find_route("moon")
    with pytest.raises(InputError, match=r"no view 'left'; there are: thesis, body"):
        read_route(ROUTES / "sun.csv", view="left")
