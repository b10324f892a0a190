"""Streams and downwash on surfaces of other shapes and places than `test_exposed_wings` has."""

import math

import numpy as np
import pytest

from cupola.physics.slipstream import induced_speed, stream_speed

from .test_exposed_wings import ALPHA, DENSITY, ROTOR, SPEED, flying, lift_and_drag, pair  # noqa: F401

SMALL = [{"y": 0.0, "chord": 0.12}, {"y": 0.25, "chord": 0.12}]
SWEPT = [{"y": 0.0, "chord": 0.28}, {"y": 0.8, "chord": 0.12, "x": -0.35}]
BROAD = [{"y": 0.0, "chord": 0.2}, {"y": 0.4, "chord": 0.2}]
AHEAD = {
    "tapered": {},
    "swept": {"stations": SWEPT},
    "short and rectangular": {"stations": BROAD},
    "heavily loaded": {"incidence": 0.04},
}
LATTICE = {"theory": "lattice", "panels": 2}


def of(keys):
    """A wing ahead by its keys; `incidence` [rad] turns all its stations."""
    stations = keys.get("stations", [{"y": 0.0, "chord": 0.28}, {"y": 0.8, "chord": 0.12}])
    return {"stations": [{**one, "incidence": keys.get("incidence", 0.0)} for one in stations], "strips": 6}


@pytest.mark.parametrize("theory", ["strips", "unsteady_strips", "delaurier"])
@pytest.mark.parametrize("name", AHEAD)
def test_any_wing_takes_from_the_tail_what_it_takes_in_one_lattice(name, theory, flying):  # noqa: F811
    lost, ahead = [], of(AHEAD[name])
    for keys, down in (({"theory": theory}, {"downwash": ("wing_left", "wing_right")}), (LATTICE, {})):
        tail = pair("tail", stations=SMALL, strips=6, **keys)
        alone = lift_and_drag(flying(tail), tail)[0]
        both = {**pair(**ahead, **keys), **pair("tail", stations=SMALL, strips=6, **keys, **down)}
        lost.append(1.0 - lift_and_drag(flying(both), tail, 3)[0] / alone)
    assert lost[1] > 0.15
    # The sheet is elliptic, and strips know no chord: a short rectangular wing takes a tenth of the tail's lift more.
    more = 0.1 if name == "short and rectangular" else 0.0
    assert lost[0] == pytest.approx(lost[1] + more, abs=0.07), lost


@pytest.mark.parametrize("theory", ["strips", "unsteady_strips", "delaurier"])
@pytest.mark.parametrize("chord", [0.1, 0.3])
def test_a_stream_over_a_whole_small_wing_lifts_by_the_square_of_its_speed(chord, theory, flying):  # noqa: F811
    """All of it lies in the stream; its angle falls as the speed along it grows."""
    stations, lifts = [{"y": 0.0, "chord": chord}, {"y": 0.1, "chord": chord}], []
    for wash in ((), ({"rotor": "r"},)):
        world = flying({"r": ROTOR, **pair(stations=stations, strips=4, theory=theory, wash=wash)})
        world.sticks((0, 0, 0, 1))
        lifts.append(lift_and_drag(world, pair(), 400)[0])
    ahead, down = SPEED * math.cos(ALPHA), SPEED * math.sin(ALPHA)
    induced = induced_speed(world.part("r").outputs.thrust, ahead, DENSITY, 0.2)
    added = stream_speed(induced, 0.5, 0.2)
    assert added > 2.0
    expected = math.hypot(ahead + added, down) / SPEED
    assert np.divide(*lifts[::-1]) == pytest.approx(expected, rel=0.02)
