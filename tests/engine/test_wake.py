"""Options of the air in a world: the ground, the stream of a propeller, a wind that changes across a wing."""

import math

import numpy as np
import pytest

from cupola.kernel.records import flat
from cupola.schema.yaml_files import InputError

DENSITY = 1.2
AIR = {"density": DENSITY}
MOTOR = {"s_prop": 0.04 * math.pi, "c_prop": 0.5, "k_motor": 12.0, "k_t_p": 1e-4, "k_omega": 100.0}
ROTOR = {"kind": "rotor", "site": "prop", "channel": 3, "direction": 1, "generic": MOTOR}  # radius 0.2 m
WING = {"area": 0.5, "span": 2.0, "chord": 0.25, "oswald": 0.8, "c_lift_0": 0.2, "c_lift_a": 4.0, "c_drag_p": 0.03}
TAIL = {"area": 0.1, "span": 0.5, "chord": 0.2, "c_lift_a": 3.0, "c_lift_input_y": 2.0, "c_drag_p": 0.02}
FIXED = '<body name="base" pos="{}" euler="{}"><geom size="0.1"/>{}</body>'


@pytest.fixture
def stand(vehicle, make_world):
    """A world of parts on a body that cannot move, sticks as given, after two ticks."""
    count = iter(range(100))

    def make(parts, sites, pos="0 0 5", euler="0 0 0", sticks=(0, 0, 0, 1), **scenario):
        folder = vehicle(FIXED.format(pos, euler, sites), name=f"stand{next(count)}", parts=parts)
        world = make_world(folder, **{"floor": {}, "air": AIR, **scenario})
        world.sticks(sticks)
        world.step(2)
        return world

    return make


UP = '<site name="prop" euler="0 -90 0"/>'


def thrust(stand, height, *, turned=UP, ground=True, **scenario):
    world = stand({"r": {**ROTOR, "ground_effect": ground}}, turned, pos=f"0 0 {height}", **scenario)
    return world.part("r").outputs.thrust


def test_a_rotor_near_the_floor_pushes_harder(stand):
    far = 0.25 * DENSITY * MOTOR["s_prop"] * 12.0**2
    assert thrust(stand, 0.4, ground=False) == pytest.approx(far, rel=1e-12)
    assert thrust(stand, 0.4) == pytest.approx(far / (1 - 1 / 64), rel=1e-12)
    assert thrust(stand, 0.02) == pytest.approx(far * 4 / 3, rel=1e-12)
    assert thrust(stand, 0.4, floor=None) == pytest.approx(far, rel=1e-12)  # no floor, no effect
    # A propeller blows along the ground and a rotor upside down away from it.
    assert thrust(stand, 0.4, turned='<site name="prop"/>') == pytest.approx(far, rel=1e-12)
    assert thrust(stand, 0.4, turned='<site name="prop" euler="0 90 0"/>') == pytest.approx(far, rel=1e-12)


def test_wind_through_the_disc_carries_the_cushion_away(stand):
    near = [
        thrust(stand, 0.4, air={**AIR, "wind": {"speed": speed, "from_deg": 30}}) for speed in (1e-9, 3.0, 6.0, 30.0)
    ]
    far = thrust(stand, 0.4, ground=False, air={**AIR, "wind": {"speed": 6.0, "from_deg": 30}})
    assert near[0] > near[1] > near[2] > near[3] == pytest.approx(far, rel=1e-3)


def wing(stand, height, *, model="linear", ground=True, **more):
    # Wind from the east, nose 3 degrees up: angle of attack 3 degrees at 10 m/s.
    part = {"kind": "airfoil", "site": "w", "surface": WING, "model": model, "ground_effect": ground, **more}
    air = {**AIR, "wind": {"speed": 10.0, "from_deg": 90}}
    world = stand({"w": part}, '<site name="w"/>', pos=f"0 0 {height}", euler="0 -3 0", air=air)
    return world.part("w").outputs


def test_a_wing_near_the_floor_lifts_more_and_drags_less(stand):
    height, k = 0.3, 1 / (math.pi * 0.8 * 8.0)
    alpha = math.radians(3)
    far, near = wing(stand, height, ground=False), wing(stand, height)
    share = 1 / (1 + (16 * height / 2.0) ** 2)
    lift = (0.2 + 4 * alpha) / (1 - share * 4 * k)
    coefficients = 0.2 + 4 * alpha, 0.03 + k * (0.2 + 4 * alpha) ** 2
    assert (far.c_lift, far.c_drag) == pytest.approx(coefficients, rel=1e-9)
    assert (near.c_lift, near.c_drag) == pytest.approx((lift, 0.03 + (1 - share) * k * lift**2), rel=1e-9)
    assert near.force.z > far.force.z and near.c_drag < far.c_drag
    # The same wing given by its curves.
    curves = {"lift": {"coefficients": [0.2, 4.0]}, "drag": {"coefficients": [0.03 + 0.04 * k, 1.6 * k, 16 * k]}}
    assert flat(wing(stand, height, model="curves", **curves)) == pytest.approx(flat(near), rel=1e-7, abs=1e-9)
    high, without = wing(stand, 500.0), wing(stand, 500.0, ground=False)
    np.testing.assert_allclose(flat(high), flat(without), rtol=1e-6, atol=1e-9)


def test_a_wing_on_the_floor_stays_finite(stand):
    low = wing(stand, -0.5)
    assert np.isfinite(flat(low)).all() and low.c_drag == pytest.approx(0.03, rel=1e-9)


TANDEM = '<site name="prop" pos="0.5 0 0"/><site name="t" pos="-0.3 0 0"/>'


def tail(stand, wash, *, sites=TANDEM, surface=TAIL, sticks=(0, 0.5, 0, 1), order=("r", "t"), **scenario):
    surfaced = {"kind": "airfoil", "site": "t", "surface": surface, "channels": [-1, 1, -1], "wash": wash}
    parts = {"r": ROTOR, "t": {**surfaced, "deflection_max": [0, 0.4, 0]}}
    world = stand({name: parts[name] for name in order}, sites, sticks=sticks, **scenario)
    return world.part("t").outputs


def load(out):
    """Force and torque."""
    return np.array([*out.force, *out.torque])


def stream(distance=0.8):
    """Speed of the stream over the tail at full throttle in still air: momentum theory, then the vortex tube."""
    push = 0.25 * DENSITY * MOTOR["s_prop"] * 12.0**2
    return math.sqrt(push / (2 * DENSITY * MOTOR["s_prop"])) * (1 + distance / math.hypot(distance, 0.2))


def test_a_tail_at_rest_obeys_in_the_stream_of_the_propeller(stand):
    assert load(tail(stand, [])) == pytest.approx([0.0] * 6)  # without the option a tail at rest does nothing
    blown = tail(stand, [{"rotor": "r", "share": 1.0}])
    pressure = 0.5 * DENSITY * stream() ** 2 * TAIL["area"]
    assert blown.airspeed == pytest.approx(stream(), rel=1e-12)
    assert blown.force.z == pytest.approx(pressure * 2.0 * 0.4 * 0.5, rel=1e-12)
    assert blown.force.x == pytest.approx(-pressure * 0.02, rel=1e-12)
    half = tail(stand, [{"rotor": "r", "share": 0.5}])
    assert load(half) == pytest.approx(0.5 * load(blown), rel=1e-12)
    idle = tail(stand, [{"rotor": "r", "share": 1.0}], sticks=(0, 0.5, 0, -1))
    assert load(idle) == pytest.approx([0.0] * 6)


def test_the_share_comes_from_the_geometry(stand):
    whole = tail(stand, [{"rotor": "r", "share": 1.0}])
    v = stream() / (1 + 0.8 / math.hypot(0.8, 0.2))
    width = 0.2 * math.sqrt(v / stream())
    found = tail(stand, [{"rotor": "r"}])
    assert found.force.z == pytest.approx(whole.force.z * 2 * width / TAIL["span"], rel=1e-12)
    aside = TANDEM.replace('"-0.3 0 0"', f'"-0.3 0.2 {0.5 * width}"')
    half = math.sqrt(0.75) * width
    covered = min(-0.2 + half, 0.25) - max(-0.2 - half, -0.25)
    found = tail(stand, [{"rotor": "r"}], sites=aside)
    assert found.force.z == pytest.approx(whole.force.z * covered / TAIL["span"], rel=1e-12)
    assert tail(stand, [{"rotor": "r"}], sites=TANDEM.replace('"-0.3 0 0"', '"-0.3 0 0.9"')).force.z == 0.0


def test_the_stream_adds_to_the_wind(stand):
    # In a headwind U the motor throws less air: thrust, induced speed, stream and lift by their closed forms.
    U = 4.0
    air = {**AIR, "wind": {"speed": U, "from_deg": 90}}
    push = 0.25 * DENSITY * MOTOR["s_prop"] * (12.0**2 - U**2)
    v = 0.5 * (math.sqrt(U**2 + 2 * push / (DENSITY * MOTOR["s_prop"])) - U)
    speed = U + v * (1 + 0.8 / math.hypot(0.8, 0.2))
    share = 0.4
    found = tail(stand, [{"rotor": "r", "share": share}], air=air)
    mean = share * speed**2 + (1 - share) * U**2
    assert found.force.z == pytest.approx(0.5 * DENSITY * TAIL["area"] * mean * 2.0 * 0.4 * 0.5, rel=1e-12)
    assert found.airspeed == pytest.approx(share * speed + (1 - share) * U, rel=1e-12)


def test_two_streams_share_a_surface_and_never_more_than_all_of_it(stand):
    both = [{"rotor": "r", "share": 0.7}, {"rotor": "r", "share": 0.7}]
    assert flat(tail(stand, both)) == pytest.approx(flat(tail(stand, [{"rotor": "r", "share": 1.0}])), rel=1e-12)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_the_stream_is_that_of_the_present_thrust_whatever_the_order_of_the_parts(stand, integrator):
    wash = [{"rotor": "r", "share": 0.8}]
    first = tail(stand, wash, integrator=integrator)
    last = tail(stand, wash, order=("t", "r"), integrator=integrator)
    assert first == last
    # Two ticks after the throttle opens the tail already feels all of it: the generic motor has no lag.
    assert first.airspeed == pytest.approx(0.8 * stream(), rel=1e-12)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"wash": [{"rotor": "m"}]}, "there is no part 'm' that gives a Stream; there are: r, bare"),
        ({"wash": [{"rotor": "t"}]}, "there is no part 't' that gives a Stream; there are: r, bare"),
        ({"wash": [{"rotor": "bare"}]}, "the stream of 'bare' needs the radius of its disc"),
        ({"wash": [{"rotor": "r", "share": 1.2}]}, "share"),
    ],
)
def test_a_stream_of_nothing_is_refused(stand, changes, complaint):
    surfaced = {"kind": "airfoil", "site": "t", "surface": TAIL, **changes}
    bare = {"kind": "rotor", "site": "prop", "channel": 3, "direction": 1}
    with pytest.raises(InputError, match=complaint):
        stand({"r": ROTOR, "bare": bare, "t": surfaced}, TANDEM)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"ground_effect": True}, "ground_effect needs the radius of the disc"),
        ({"reactions": True}, "reactions need the inertia"),
    ],
)
def test_an_option_without_its_number_is_refused(stand, changes, complaint):
    bare = {"kind": "rotor", "site": "prop", "channel": 3, "direction": 1}
    with pytest.raises(InputError, match=complaint):
        stand({"r": {**bare, **changes}}, TANDEM)


SHEAR = {**AIR, "wind": {"speed": 8.0, "from_deg": 90, "height": 10, "exponent": 1}}  # 0.8 m/s more per metre


def torque_of(stand, parts, sites, roll):
    world = stand(parts, sites, pos="0 0 20", euler=f"{roll} 0 0", air=SHEAR)
    return world.data.xfrc_applied[1, 3:]


def strips(count, **more):
    """A straight wing of constant lift coefficient 0.3, cut along the span, and the sites of its strips."""
    surface = {"area": 0.5 / count, "span": 2.0 / count, "chord": 0.25, "c_lift_0": 0.3, **more}
    middles = [-1 + (2 * i + 1) / count for i in range(count)]
    sites = "".join(f'<site name="s{i}" pos="0 {y} 0"/>' for i, y in enumerate(middles))
    return {f"s{i}": {"kind": "airfoil", "site": f"s{i}", "surface": surface} for i in range(count)}, sites


def test_shear_rolls_a_banked_wing(stand):
    # Right side 30 degrees down, in a headwind: the left wing is higher, meets more wind and lifts more. Two halves at
    # y = +-d: torque about x = d (L_left - L_right) = d rho/2 S C_L (V_left^2 - V_right^2), d = 0.5 m, S = 0.25 m2.
    rise = 0.5 * math.sin(math.radians(30))
    left, right = 0.8 * (20 + rise), 0.8 * (20 - rise)
    expected = 0.5 * 0.5 * DENSITY * 0.25 * 0.3 * (left**2 - right**2)
    parts, sites = strips(2)
    assert torque_of(stand, parts, sites, 30)[0] == pytest.approx(expected, rel=1e-9)
    assert torque_of(stand, parts, sites, -30)[0] == pytest.approx(-expected, rel=1e-9)
    assert torque_of(stand, parts, sites, 0)[0] == pytest.approx(0, abs=1e-9)  # level: the same wind on both


def test_wind_gradient_of_one_surface_is_that_of_many_strips(stand):
    # Strip theory of this wing has C_l_r = C_L / 3; n strips fall short of it by 1 / n^2.
    whole, site = strips(1, c_l_r=0.1)
    whole["s0"]["wind_gradient"] = True
    one = torque_of(stand, whole, site, 30)[0]
    expected = 0.25 * DENSITY * 16.0 * 0.5 * 2.0**2 * 0.1 * 0.8 * 0.5
    assert one == pytest.approx(expected, rel=1e-9)
    parts, sites = strips(12)
    many = torque_of(stand, parts, sites, 30)[0]
    assert many == pytest.approx((1 - 1 / 144) * one, rel=1e-9)
    whole["s0"]["wind_gradient"] = False
    assert torque_of(stand, whole, site, 30)[0] == pytest.approx(0.0, abs=1e-12)


def test_a_turning_vehicle_gives_each_surface_its_own_wind(vehicle, make_world):
    # Rolling right at p, the left half rises and its angle of attack falls: alpha = -atan(p d / V), and the mirror.
    parts, sites = strips(2, c_lift_a=4.0)
    body = f'<body name="base"><freejoint/>{sites}<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>'
    p, V = 3.0, 20.0
    folder = vehicle(body, parts=parts, start={"velocity_b": [V, 0, 0], "rate_b": [p, 0, 0]})
    world = make_world(folder, air=AIR)
    right, left = world.part("s0").outputs, world.part("s1").outputs
    assert (left.alpha, right.alpha) == pytest.approx((-math.atan(0.5 * p / V), math.atan(0.5 * p / V)), rel=1e-12)
    assert world.data.xfrc_applied[1, 3] == pytest.approx(0.5 * (left.force.z - right.force.z), rel=1e-12)
    assert world.data.xfrc_applied[1, 3] < 0
