"""Theories of whole wings in a flying vehicle: all its wings are one solution, the same as outside the loop."""

import math

import numpy as np
import pytest

from cupola.aerodynamics.grid import tapered
from cupola.aerodynamics.lattice import steady_lattice
from cupola.aerodynamics.lifting_line import lifting_line
from cupola.aerodynamics.march import march
from cupola.schema.yaml_files import InputError

from .lattice_sums import lattice_by_sums

DENSITY, SPEED, ALPHA = 1.2, 15.0, math.radians(3.0)
FLOW = SPEED * np.array([-math.cos(ALPHA), 0.0, math.sin(ALPHA)])
HALF, ROOT, TIP = 0.8, 0.28, 0.12
"""[m] half span, chords."""
THIN = {"c_friction": 0.0, "c_lift_a": 2 * math.pi, "alpha_stall": 1.2, "suction": 1.0}
FEW, COARSE = {"strips": 5, "panels": 2}, {"spanwise": 5, "chordwise": 2}
"""The same panels, as keys of a wing and of its grid outside."""
LOOSE = 'contype="0" conaffinity="0"'
GLIDER = f"""<body name="base"><freejoint/><geom size=".1" mass="1" {LOOSE}/><site name="wing"/>
<site name="tail" pos="-.9 0 .1"/><site name="other" pos="-.3 1.9 0"/></body>"""


def wing(side, site="wing", sweep=0.0, **numbers):
    """Half of a wing, swept at its quarter chord."""
    stations = [{"y": 0.0, "chord": ROOT}, {"y": HALF, "chord": TIP, "x": -HALF * math.tan(sweep)}]
    return {"kind": "wing", "site": site, "side": side, "stations": stations, "section": THIN, "strips": 12, **numbers}


def pair(site="wing", **numbers):
    """Both halves."""
    return {f"{site}_{side}": wing(side, site, **numbers) for side in ("left", "right")}


def corners(at=(0.0, 0.0, 0.0), sweep=0.0, chordwise=4, spanwise=12, span=1.0):
    """The left half as a grid; `sweep` of the quarter chord."""
    front = math.atan(math.tan(sweep) / span + 0.25 * (ROOT - TIP) / (HALF * span))
    half = tapered(2 * HALF * span, ROOT, TIP, sweep=front, chordwise=chordwise, spanwise=spanwise, cosine=True)
    return half + np.array([0.25 * ROOT, 0.0, 0.0]) + at


def halves(at=(0.0, 0.0, 0.0), **shape):
    """Both halves of a wing at a place."""
    left = corners(**shape)
    return [left + at, left[:, ::-1] * [1.0, -1.0, 1.0] + at]


@pytest.fixture
def flying(vehicle, make_world):
    """A world with a vehicle of some parts in level motion at `ALPHA`."""

    def make(parts, position=(0.0, 0.0, 0.0), scenario=None, mass="1", **start):
        made.append(vehicle(GLIDER.replace('mass="1"', f'mass="{mass}"'), name=f"toy{len(made)}", parts=parts))
        entry = {"model": made[-1], "position": list(position), "velocity_b": list(-FLOW), **start}
        options = {"gravity": 0.0, "air": {"density": DENSITY}, "physics_hz": 1000, **(scenario or {})}
        return make_world(entry, **options)

    made: list[str] = []
    return make


def first_loads(world, parts):
    """Force of each part at the start [N], axes of the body."""
    world.step(1)
    return {name: np.array(world.part(name).outputs.force) for name in parts}


def total(world, *commands):
    """Force at the start [N], axes of the body, under some commands."""
    return np.array(world.evaluate(start={"velocity_b": list(-FLOW)}, commands=list(commands)).force_b)


def test_lifting_lines_of_any_span_are_those_outside_the_loop(flying):
    world = flying(pair(theory="lifting_line", span={"channel": 0, "gain": 1.0}))
    for span in (0.6, 1.0, 1.75):
        force = total(world, span - 1.0)
        chord = lambda y, span=span: ROOT + (TIP - ROOT) * np.abs(y) / (HALF * span)  # noqa: E731
        alpha = lambda y: np.full_like(y, ALPHA)  # noqa: E731
        line = lifting_line(2.0 * HALF * span, chord, alpha, lambda a: 2.0 * math.pi * np.sin(a))
        push = 0.5 * DENSITY * SPEED**2 * span * HALF * (ROOT + TIP)
        assert across(force) / push == pytest.approx(line.wing_lift, rel=0.005), span
        assert along(force) / push == pytest.approx(line.wing_drag, rel=0.005), span


def across(force):
    """Lift."""
    return float(force @ [math.sin(ALPHA), 0.0, math.cos(ALPHA)])


def along(force):
    """Drag."""
    return float(force @ FLOW) / SPEED


@pytest.mark.parametrize("sweep", [0.0, 0.5])
def test_lattices_of_any_span_and_sweep_are_those_outside_the_loop(sweep, flying):
    stations = wing("left", sweep=sweep)["stations"]
    world = flying(pair(theory="lattice", stations=stations, span={"channel": 0, "gain": 1.0}))
    for span in (0.6, 1.4):
        outside = steady_lattice(corners(sweep=sweep, span=span), FLOW, DENSITY, mirror=True).force
        force = total(world, span - 1.0)
        assert across(force) == pytest.approx(across(outside), rel=1e-4), span
        assert along(force) == pytest.approx(along(outside), rel=1e-3), span


def swinging(*names, **numbers):
    """Both halves of a wing whose shape follows the first channels."""
    shape = {name: {"channel": k, "gain": 1.0} for k, name in enumerate(names)}
    return {name: {**part, **shape} for name, part in pair(**numbers).items()}


@pytest.mark.parametrize("sweep", [-0.4, 0.05, 0.5])
def test_a_lattice_that_swings_is_the_one_built_so(sweep, flying):
    """Its halves still meet at the root: panels are cut along the flight at any sweep."""
    world = flying(swinging("span", "sweep", theory="lattice"))
    for span in (0.7, 1.5):
        c, half = math.cos(sweep), HALF * span * math.cos(sweep)
        front = math.atan(math.tan(sweep) + 0.25 * (ROOT - TIP) / (c * half))
        grid = tapered(2 * half, ROOT / c, TIP / c, sweep=front, chordwise=4, spanwise=12, cosine=True)
        outside = steady_lattice(grid, FLOW, DENSITY, mirror=True).force
        force = total(world, span - 1.0, sweep)
        assert across(force) == pytest.approx(across(outside), rel=1e-4), span
        assert along(force) == pytest.approx(along(outside), rel=1e-3), span


@pytest.mark.parametrize("theory", ["lifting_line", "lattice"])
def test_whole_wings_that_swing_and_rise_lift_as_strips_do(theory, flying):
    """A wing with dihedral that swings back turns its nose down, by any theory."""
    strips, whole = (flying(swinging("sweep", "dihedral", theory=word)) for word in ("strips", theory))
    for shape in ((0.5, 0.0), (0.3, 0.15), (-0.3, 0.15), (-0.4, -0.1)):
        found, level = across(total(whole, *shape)), across(total(whole))
        assert found == pytest.approx(across(total(strips, *shape)), abs=0.06 * level), shape


ODD = {"incidence": 0.04, "twist": -0.06, "arch": -0.05}
"""[rad]: of the root, of the tip beyond that, and the section's angle without lift."""


def odd(sweep=0.0, dihedral=0.0):
    """Keys of a wing that is twisted and arched."""
    tip = {"x": -HALF * math.tan(sweep), "z": HALF * math.tan(dihedral), "incidence": ODD["incidence"] + ODD["twist"]}
    stations = [{"y": 0.0, "chord": ROOT, "incidence": ODD["incidence"]}, {"y": HALF, "chord": TIP, **tip}]
    return {"stations": stations, "section": {**THIN, "alpha_0": ODD["arch"]}}


def test_a_twisted_and_arched_lifting_line_is_that_outside_the_loop(flying):
    force = total(flying(pair(theory="lifting_line", **odd())))
    felt = lambda y: ALPHA + ODD["incidence"] + ODD["twist"] * np.abs(y) / HALF - ODD["arch"]  # noqa: E731
    chord = lambda y: ROOT + (TIP - ROOT) * np.abs(y) / HALF  # noqa: E731
    line = lifting_line(2.0 * HALF, chord, felt, lambda a: 2.0 * math.pi * a)
    push = 0.5 * DENSITY * SPEED**2 * HALF * (ROOT + TIP)
    assert across(force) / push == pytest.approx(line.wing_lift, rel=0.005)
    assert along(force) / push == pytest.approx(line.wing_drag, rel=0.01)


def test_a_twisted_arched_swept_and_raised_lattice_is_that_outside_the_loop(flying):
    """Outside its panels themselves are turned, in the loop the flow that they let through: half a per cent apart."""
    sweep, dihedral = 0.4, 0.15
    grid = corners(sweep=sweep)
    share = grid[..., 1] / HALF
    turned, quarter = ODD["incidence"] + ODD["twist"] * share - ODD["arch"], -HALF * math.tan(sweep) * share
    back = grid[..., 0] - quarter
    raised = HALF * math.tan(dihedral) * share + back * np.sin(turned)
    outside = np.stack([quarter + back * np.cos(turned), grid[..., 1], raised], axis=-1)
    expected = steady_lattice(outside, FLOW, DENSITY, mirror=True).force
    force = total(flying(pair(theory="lattice", **odd(sweep, dihedral))))
    assert across(force) == pytest.approx(across(expected), rel=0.008)
    assert along(force) == pytest.approx(along(expected), rel=0.015)


@pytest.mark.parametrize(("site", "place"), [("tail", (-0.9, 0.0, 0.1)), ("other", (-0.3, 1.9, 0.0))])
def test_two_wings_feel_each_other(site, place, flying):
    """In tandem the rear one lies in the downwash, in formation in the upwash: all four halves by plain sums."""
    parts = {**pair(theory="lattice", **FEW), **pair(site, theory="lattice", **FEW)}
    found = first_loads(flying(parts), parts)
    expected = lattice_by_sums([*halves(**COARSE), *halves(place, **COARSE)], FLOW, DENSITY)
    for name, one in zip(("wing_left", "wing_right", f"{site}_left", f"{site}_right"), expected, strict=True):
        np.testing.assert_allclose(across(found[name]), across(one), rtol=0.01, err_msg=name)
    alone = steady_lattice(corners(**COARSE), FLOW, DENSITY, mirror=True).force
    rear = found[f"{site}_left"] + found[f"{site}_right"]
    assert along(rear) == pytest.approx(along(sum(expected[2:])), abs=0.01 * along(alone))
    assert (across(rear) < 0.75 * across(alone)) if site == "tail" else (across(rear) > 1.02 * across(alone))


def gliders(vehicle, make_world, place, wakes=True, **numbers):
    """A world of two vehicles with a wing each; the second is at a `place` from the first [m]."""
    entries = []
    for name, at in (("first", (0.0, 0.0, 50.0)), ("second", (place[0], place[1], 50.0 + place[2]))):
        model = vehicle(GLIDER, name=name, parts=pair(**numbers))
        entries.append({"model": model, "name": name, "position": list(at), "velocity_b": list(-FLOW)})
    return make_world(*entries, gravity=0.0, physics_hz=1000, air={"density": DENSITY, "wakes": wakes})


@pytest.mark.parametrize("place", [(-0.9, 0.0, 0.1), (-0.3, 1.9, 0.0)])
def test_wings_of_two_vehicles_feel_each_other_in_a_world_with_wakes(place, vehicle, make_world):
    """The same two wings as of one vehicle above, each on a vehicle of its own."""
    parts = [f"{name}.wing_{side}" for name in ("first", "second") for side in ("left", "right")]
    found = first_loads(gliders(vehicle, make_world, place, theory="lattice", **FEW), parts)
    expected = lattice_by_sums([*halves(**COARSE), *halves(place, **COARSE)], FLOW, DENSITY)
    for name, one in zip(parts, expected, strict=True):
        np.testing.assert_allclose(across(found[name]), across(one), rtol=0.01, err_msg=name)
    alone = across(steady_lattice(corners(**COARSE), FLOW, DENSITY, mirror=True).force)
    rear = across(found[parts[2]] + found[parts[3]])
    assert abs(rear / alone - 1.0) > 0.02


def test_without_wakes_each_vehicle_is_alone(vehicle, make_world):
    world = gliders(vehicle, make_world, (-0.9, 0.0, 0.1), wakes=False, theory="lifting_line", strips=6)
    found = first_loads(world, ["first.wing_left", "second.wing_left"])
    np.testing.assert_array_equal(found["first.wing_left"], found["second.wing_left"])
    assert world.part("first.flow").outputs.residual == world.part("second.flow").outputs.residual


def test_wings_of_all_vehicles_must_agree_in_a_world_with_wakes(vehicle, make_world):
    models = [vehicle(GLIDER, name=t, parts=pair(theory=t)) for t in ("lattice", "lifting_line")]
    with pytest.raises(InputError, match="theory: wings of all vehicles in a world with wakes are solved together"):
        make_world(*models, air={"wakes": True})


def test_lifting_lines_in_tandem_feel_each_other_as_lattices_do(flying):
    """The line knows no chord, so the tail's share of what it would carry alone is what can be compared."""
    share = []
    for theory in ("lifting_line", "lattice"):
        parts = {**pair(theory=theory, strips=6), **pair("tail", theory=theory, strips=6)}
        found = first_loads(flying(parts), parts)
        share.append(across(found["tail_left"]) / across(found["wing_left"]))
    assert share[0] == pytest.approx(share[1], rel=0.05)


def test_the_ground_is_a_mirror(flying):
    """Near the floor a wing lifts more and drags less, as a wing above its own image does."""
    level = {"position": (0.0, 0.0, 0.3), "scenario": {"floor": {}}}
    turned = {"attitude_deg": [0.0, -math.degrees(ALPHA), 0.0]}  # level flight, nose up
    near = first_loads(flying(pair(theory="lattice", ground_effect=True, **FEW), **level, **turned), pair())
    far = first_loads(flying(pair(theory="lattice", **FEW), **level, **turned), pair())
    tilt = np.array([[math.cos(ALPHA), 0.0, -math.sin(ALPHA)], [0, 1, 0], [math.sin(ALPHA), 0, math.cos(ALPHA)]])
    lifted = [half @ tilt.T + [0.0, 0.0, 0.3] for half in halves(**COARSE)]
    images = [(half * [1.0, 1.0, -1.0])[:, ::-1] for half in lifted]
    expected = lattice_by_sums([*lifted, *images], np.array([-SPEED, 0.0, 0.0]), DENSITY)
    got, free = sum(near.values()), sum(far.values())
    assert across(got) == pytest.approx(float((expected[0] + expected[1])[2]), rel=0.01)
    assert across(got) > 1.05 * across(free)
    assert along(got) / across(got) ** 2 < 0.7 * along(free) / across(free) ** 2


def pitching(half, time, rate):
    """A wing that moves on at `ALPHA` and turns its nose up at a constant rate."""
    c, s = math.cos(rate * time), math.sin(rate * time)
    turn = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
    return half @ turn.T - FLOW * time, turn


def test_an_unsteady_lattice_in_flight_is_the_march_outside(flying):
    """Both have dropped what they began with when the wake is older than its rows."""
    rate, hz, steps, rows = 0.6, 100, 45, 15
    parts = pair(theory="unsteady_lattice", wake_rows=rows, **FEW)
    world = flying(parts, scenario={"physics_hz": hz}, mass="1e7", rate_b=[0.0, -rate, 0.0])
    world.step(steps + 1)
    got = sum(np.array(world.part(name).outputs.force) for name in parts)
    half = corners(**COARSE)
    marched = march(lambda t: pitching(half, t, rate)[0], steps + 1, 1.0 / hz, DENSITY, mirror=True, wake_rows=rows)
    expected = pitching(half, steps / hz, rate)[1].T @ [*marched][-1].force
    np.testing.assert_allclose(got, expected, rtol=2e-3, atol=2e-3 * abs(expected[2]))
    steady = steady_lattice(pitching(half, steps / hz, rate)[0], FLOW, DENSITY, mirror=True).force
    assert abs(expected[2] / steady[2] - 1.0) > 0.02  # the wake and the turning count


def test_an_unsteady_lattice_comes_back_with_a_snapshot(flying, digest):
    world = flying(
        pair(theory="unsteady_lattice", wake_rows=8, solve_hz=50, **FEW), scenario={"physics_hz": 200}, mass="100"
    )
    world.step(30)
    kept = world.snapshot()
    world.step(21)
    after = digest(world)
    world.restore(kept)
    world.step(21)
    assert digest(world) == after


@pytest.mark.parametrize(("alpha", "said"), [(0.05, 0), (0.23, 1)])
def test_a_lifting_line_that_is_not_found_is_said_once(alpha, said, flying, caplog):
    """Sections whose lift jumps: where they have it, its wake takes the angle that it needs."""
    lift = {"breaks": [-3.2, 0.2, 0.2002, 3.2], "coefficients": [0, 0, 0, 0, 0, 0, 6000, 0, 0, 0, 0, 1.2]}
    stalls = {"lift": lift, "drag": {"coefficients": [0.0]}}
    velocity = [SPEED * math.cos(alpha), 0.0, -SPEED * math.sin(alpha)]
    world = flying(pair(theory="lifting_line", **stalls), mass="1e6", velocity_b=velocity)
    world.step(20)
    world.step(20)
    assert (world.part("flow").outputs.residual > 1e-3) == bool(said)
    assert sum("no lifting line was found" in record.getMessage() for record in caplog.records) == said


def test_what_wings_must_agree_on_and_what_a_theory_does_not_use_is_said(flying):
    with pytest.raises(InputError, match=r"theory: wings of one vehicle are solved together: .* says lattice, .*line"):
        flying({"a": wing("left", theory="lattice"), "b": wing("right", theory="lifting_line")})
    with pytest.raises(InputError, match="wake_rows: only for theory: unsteady_lattice; this wing has lattice"):
        flying({"a": wing("left", theory="lattice", wake_rows=5)})
    curve = {"coefficients": [0.1]}
    with pytest.raises(InputError, match="a wing with theory lattice has panels, not curves"):
        flying({"a": wing("left", theory="lattice", lift=curve, drag=curve)})
    with pytest.raises(InputError, match="give a theory or its older name, model"):
        flying({"a": wing("left", theory="strips", model="steady")})
    with pytest.raises(InputError, match="solve_hz: 300 Hz does not divide physics_hz 1000"):
        flying(pair(theory="lattice", solve_hz=300))


def spread(world, *names):
    """How far out the lift of a half acts, by its span, and lift and drag of the wing by ½ ρ V² and its area."""
    world.step(1)
    force = sum(np.array(world.part(name).outputs.force) for name in names)
    left = world.part(names[0]).outputs
    push = 0.5 * DENSITY * SPEED**2 * HALF * (ROOT + TIP)
    return left.torque[0] / left.force[2] / HALF, across(force) / push, along(force) / push


@pytest.mark.parametrize("sweep", [-0.5, 0.5, 0.8])
def test_swept_lifting_lines_are_spread_as_lattices_are(sweep, flying):
    """Whatever the number of strips, and with the drag of that spread: a wing swept back lifts more at its tips."""
    stations, found = wing("left", sweep=sweep)["stations"], {}
    for theory, keys in (
        ("lattice", {"strips": 20, "panels": 6}),
        ("lifting_line", {"strips": 6}),
        ("lifting_line", {}),
    ):
        parts = pair(theory=theory, stations=stations, **keys)
        found[theory, keys.get("strips")] = spread(flying(parts), *parts)
    (out, lift, _), few, line = found["lattice", 20], found["lifting_line", 6], found["lifting_line", None]
    assert line[0] == pytest.approx(out, abs=0.01)
    assert abs(out - 0.427) > 0.015  # a straight wing's
    assert 1.01 * lift < line[1] < 1.05 * lift  # the line knows no chord, straight wings lift 4 % too much as well
    np.testing.assert_allclose(few, line, rtol=0.025)
    outside = steady_lattice(corners(sweep=sweep, chordwise=8, spanwise=24), FLOW, DENSITY, mirror=True)
    far = outside.far_drag * (0.5 * DENSITY * SPEED**2 * HALF * (ROOT + TIP))
    assert line[2] / line[1] ** 2 == pytest.approx(far / across(outside.force) ** 2, rel=0.06)
