"""What ground stations really send: plans of QGroundControl, frames, places and numbers that are none."""

import itertools
import math
import random

import pytest

from cupola.bridge.mavlink.items import LAND, LOCAL_NED, RETURN, SPEED, TAKEOFF, UNSET, WAYPOINT
from cupola.bridge.mavlink.place import Origin
from cupola.bridge.mavlink.station import dialect

pytest.importorskip("pymavlink", reason="pip install 'cupola[mavlink]'")
from tests.bridge.test_mavlink_station import STEP, Flight, at, read_mission

NAN = math.nan
GLOBAL, WITHOUT, RELATIVE, TERRAIN = 0, 2, 3, 10
"""MAV_FRAME; QGroundControl writes 2 for items that name no place."""
REPOSITION = 192
ACCEPTED, BAD_FRAME, UNSUPPORTED, ERROR, BAD_1, BAD_2, BAD_X, BAD_Y, BAD_Z = 0, 2, 3, 1, 6, 7, 10, 11, 12
SEED, MESSAGES = 7, 2500


@pytest.fixture(scope="module")
def parked():
    """One quadcopter for all that is refused."""
    made = Flight()
    yield made
    made.close()


@pytest.fixture
def flight():
    made = Flight()
    yield made
    made.close()


def write(flight, items, whole=True):
    """Upload items (frame, command, param 1 to 4, x, y, z), and what the world says to it; x and y are degrees or m."""
    send = flight.gcs.mav.mission_item_int_send if whole else flight.gcs.mav.mission_item_send
    flight.heard.clear()
    flight.gcs.mav.mission_count_send(1, 1, len(items))
    for k, (frame, command, *params, x, y, z) in enumerate(items):
        flight.turn(0.0)
        flight.turn(0.0)
        place = (x, y)
        if whole:
            unit = 1e4 if frame == LOCAL_NED else 1e7
            place = tuple(UNSET if math.isnan(v) else round(v * unit) for v in place)
        send(1, 1, k, frame, command, 0, 1, *params, *place, z)
    flight.turn(0.0)
    flight.turn(0.0)
    return flight.last("MISSION_ACK").type


def degrees(flight, x, y):
    """Of a place of the world."""
    lat, lon, _ = at(flight, x, y, 0.0)
    return lat * 1e-7, lon * 1e-7


@pytest.mark.parametrize("name", ["velma_base", "cepheus_capture"])
def test_vehicles_that_fly_no_plan_are_seen_and_told_so(name, caplog):
    flight = Flight(name)
    flight.turn(0.02)
    assert flight.last("HEARTBEAT") and flight.last("MISSION_CURRENT").seq == 0
    assert read_mission(flight) == []
    assert (
        write(flight, [(RELATIVE, WAYPOINT, 0, 0, 0, 0, 37.0, 23.0, 5.0)]) == ERROR and "flies no plan" in caplog.text
    )
    for command in (RETURN, LAND, 300, 224):
        assert flight.order(command, seconds=0.0).result == 2  # denied
    flight.close()


@pytest.mark.parametrize("whole", [True, False])
def test_a_plan_as_qgroundcontrol_writes_it(flight, whole):
    """Items without a place in MAV_FRAME_MISSION, headings that are no number, the usual speed asked for again."""
    there = degrees(flight, 4.0, -2.0)
    usual = max(row[4] for row in flight.world.runner().plan.tolist())
    items = [
        (RELATIVE, TAKEOFF, 0, 0, 0, NAN, NAN, NAN, 3.0),
        (WITHOUT, SPEED, 1, 3.5, -1, 0, 0, 0, 0),
        (RELATIVE, WAYPOINT, 0, 0, 0, NAN, *there, 6.0),
        (WITHOUT, SPEED, 1, -2, -1, 0, 0, 0, 0),
        (LOCAL_NED, WAYPOINT, 0, 0, 0, NAN, 7.0, 8.0, -5.0),
        (WITHOUT, RETURN, 0, 0, 0, 0, 0, 0, 0),
    ]
    assert write(flight, items, whole) == ACCEPTED
    home = flight.world.motion().pos_w
    rows = flight.world.runner().plan.tolist()
    near = 0.02 if whole else 1.0  # degrees in 32 bits are half a metre
    assert rows[0][:3] == pytest.approx((home.x, home.y, home.z + 3.0)) and rows[0][4] == usual
    assert rows[1][:3] == pytest.approx((4.0, -2.0, home.z + 6.0), abs=near) and rows[1][4] == 3.5
    assert rows[2][:3] == pytest.approx((8.0, 7.0, 5.0)) and rows[2][4] == usual
    assert rows[4][:2] == pytest.approx(home[:2]) and [row[6] for row in rows] == [0, 0, 0, 0, 1]


def test_what_was_written_is_read_back_in_both_forms(flight):
    there = degrees(flight, 4.0, -2.0)
    items = [
        (RELATIVE, TAKEOFF, 0, 0, 0, 90.0, NAN, NAN, 3.0),
        (LOCAL_NED, WAYPOINT, 1.0, 0, 0, 0, 7.5, 8.25, -5.0),
        (RELATIVE, LAND, 0, 0, 0, 0, *there, 0),
    ]
    assert write(flight, items) == ACCEPTED
    for ask, kind, units in (
        (flight.gcs.mav.mission_request_int_send, "MISSION_ITEM_INT", (1e7, 1e4)),
        (flight.gcs.mav.mission_request_send, "MISSION_ITEM", (1.0, 1.0)),
    ):
        found = []
        for k in range(len(items)):
            ask(1, 1, k)
            flight.turn(0.0)
            found.append(flight.last(kind))
        assert [(m.frame, m.command) for m in found] == [item[:2] for item in items]
        assert (found[1].x, found[1].y) == (7.5 * units[1], 8.25 * units[1])
        assert (found[2].x, found[2].y) == pytest.approx([v * units[0] for v in there], rel=1e-6)
        assert found[0].x == UNSET if kind == "MISSION_ITEM_INT" else math.isnan(found[0].x)


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ((RELATIVE, 17, 0, 0, 0, 0, 37.0, 23.0, 5.0), UNSUPPORTED),  # loiter
        ((RELATIVE, 18, 2, 0, 0, 0, 37.0, 23.0, 5.0), UNSUPPORTED),
        ((RELATIVE, 19, 9, 0, 0, 0, 37.0, 23.0, 5.0), UNSUPPORTED),
        ((WITHOUT, 177, 0, 2, 0, 0, 0, 0, 0), UNSUPPORTED),  # jump
        ((TERRAIN, WAYPOINT, 0, 0, 0, 0, 37.0, 23.0, 5.0), BAD_FRAME),
        ((WITHOUT, WAYPOINT, 0, 0, 0, 0, 37.0, 23.0, 5.0), BAD_FRAME),
        ((WITHOUT, SPEED, 2, 3.0, -1, 0, 0, 0, 0), BAD_1),  # of climb
        ((WITHOUT, SPEED, 1, 0.0, -1, 0, 0, 0, 0), BAD_2),
        ((WITHOUT, SPEED, 1, math.inf, -1, 0, 0, 0, 0), BAD_2),
        ((RELATIVE, WAYPOINT, 0, 0, 0, 0, NAN, NAN, 5.0), BAD_X),
        ((RELATIVE, WAYPOINT, 0, 0, 0, 0, 91.0, 23.0, 5.0), BAD_X),
        ((RELATIVE, LAND, 0, 0, 0, 0, 37.0, 181.0, 0.0), BAD_Y),
        ((RELATIVE, TAKEOFF, 0, 0, 0, 0, 0, 0, NAN), BAD_Z),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_what_is_not_flown_is_refused_with_what_is_wrong_of_it(parked, item, code, whole):
    rows = parked.world.runner().plan.tolist()
    assert write(parked, [item], whole) == code and parked.world.runner().plan.tolist() == rows


@pytest.mark.parametrize("command", [TAKEOFF, REPOSITION])
def test_heights_are_above_the_sea_or_above_home_as_the_frame_says(command):
    flight = Flight(prepare=lambda world: (world.start_at(position=(3.0, 0.0, 40.0)), world.reset()))
    home = flight.world.motion().pos_w
    sea = Origin.of(flight.world).geodetic(home).altitude
    for frame, height in ((GLOBAL, sea + 7.0), (RELATIVE, 7.0), (LOCAL_NED, -47.0)):
        flight.gcs.mav.command_int_send(1, 1, frame, command, 0, 0, 0, 0, 0, NAN, UNSET, UNSET, height)
        flight.turn(0.0)
        flight.turn(0.0)
        assert flight.last("COMMAND_ACK").result == 0
        assert flight.world.runner().plan[0][:3] == pytest.approx((home.x, home.y, 47.0), abs=1e-4)
    flight.gcs.mav.command_int_send(1, 1, TERRAIN, command, 0, 0, 0, 0, 0, NAN, 0, 0, 7.0)
    flight.turn(0.0)
    flight.turn(0.0)
    assert flight.last("COMMAND_ACK").result == 2 and "frame 10" in flight.last("STATUSTEXT").text
    flight.close()


def test_a_landing_goes_where_it_is_told(flight):
    flight.gcs.mav.command_long_send(1, 1, LAND, 0, 0, 0, 0, NAN, *degrees(flight, 5.0, 1.0), 0)
    flight.turn(0.02)
    rows = flight.world.runner().plan.tolist()
    assert [row[6] for row in rows] == [0, 1] and rows[1][:2] == pytest.approx((5.0, 1.0), abs=1.0)


def test_the_mission_starts_at_the_item_that_is_named(flight):
    items = [(LOCAL_NED, WAYPOINT, 0, 0, 0, 0, float(k), 0, -5.0) for k in range(4)]
    assert write(flight, items) == ACCEPTED
    assert flight.order(300, 2.0, seconds=0.0).result == 0 and flight.link._missions[1].current() == 2
    assert flight.order(224, 3.0, seconds=0.0).result == 0 and flight.link._missions[1].current() == 3
    assert flight.order(224, 4.0, seconds=0.0).result == 2 and flight.link._missions[1].current() == 3
    flight.gcs.mav.mission_set_current_send(1, 1, 9)
    flight.turn(0.02)
    assert flight.last("MISSION_ACK").type == 13


def test_what_a_station_leaves_open_stays(flight):
    assert flight.order(176, 1.0, 1.0).result == 0
    flight.gcs.mav.manual_control_send(1, 300, -200, 750, 100, 0)
    flight.turn(0.02)
    flight.gcs.mav.manual_control_send(1, 32767, 400, 32767, 32767, 0)
    flight.turn(0.02)
    assert flight.world.runner().sticks[:4].tolist() == pytest.approx([0.4, 0.3, 0.1, 0.5])
    assert flight.order(400, NAN).result == 2 and not flight.world.stopped()
    assert flight.order(176, 64.0, 0.0).result == 2 and flight.world.mode() != "mission"  # the mode is not named
    flight.gcs.mav.param_set_send(1, 1, b"no_such", 1.5, 9)
    flight.turn(0.02)
    assert "no_such" in flight.last("STATUSTEXT").text


REALS = (NAN, math.inf, -math.inf, 0.0, 1.0, -1.0, 1e30, -17.5)
ACTS = {"COMMAND_LONG", "COMMAND_INT", "SET_MODE", "MANUAL_CONTROL", "PARAM_SET", "PARAM_REQUEST_READ"}
ORDERS = [WAYPOINT, RETURN, LAND, TAKEOFF, SPEED, 176, REPOSITION, 224, 300, 400, 420, 512]


def number(chance, sort):
    """Any number of a type of MAVLink's."""
    if sort in ("float", "double"):
        return chance.choice(REALS)
    bits = int("".join(filter(str.isdigit, sort)))
    low, high = (0, 2**bits - 1) if sort.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return chance.choice([low, high, 0, 1, 2, chance.randint(low, high)])


def drawn(mav, chance, known):
    """A message with any numbers in its fields."""
    kinds = [c for c in mav.mavlink_map.values() if c.msgname in ACTS or c.msgname.startswith("MISSION_")]
    kind = chance.choice(sorted(kinds, key=lambda c: c.msgname))
    lengths = dict(zip(kind.ordered_fieldnames, kind.array_lengths, strict=True))
    fields = {}
    for name, sort in zip(kind.fieldnames, kind.fieldtypes, strict=True):
        if sort == "char":
            fields[name] = chance.choice([*known, chance.randbytes(lengths[name] or 1)])
        else:
            found = [number(chance, sort) for _ in range(lengths[name] or 1)]
            fields[name] = found if lengths[name] else found[0]
    fields |= {key: 1 for key in ("target_system", "target") if key in fields}
    if "mission_type" in fields:
        fields["mission_type"] = chance.choice([0, 0, 0, 1])
    if "command" in fields:
        fields["command"] = chance.choice(ORDERS)
    if kind.msgname == "MISSION_COUNT":
        fields["count"] = chance.randint(0, 2)
    return kind(**fields)


@pytest.mark.parametrize("name", ["quadcopter", "velma_base"])
def test_numbers_that_mean_nothing_stop_no_world(name):
    """Every message that a world acts upon, with every kind of number in every field."""
    mav, chance = dialect(), random.Random(SEED)
    flight, sender = Flight(name), mav.MAVLink(None, srcSystem=250)
    known = [one.encode() for one in flight.link._parameters(1)]
    for k in itertools.count():
        for message in flight.link._parse(drawn(mav, chance, known).pack(sender)):
            flight.link._hear(message)
        if k % 20 == 0:
            flight.turn(STEP)
            flight.heard.clear()
        if k == MESSAGES:
            break
    assert all(map(math.isfinite, flight.world.motion().pos_w))
    assert flight.order(400, 0.0).result == 0 and flight.world.stopped()
    flight.close()


def test_sticks_go_to_the_channels_that_carry_them(flight):
    """A vehicle whose mix has roll on channel 3, pitch on none; what is beyond the end is the end."""
    runner = flight.world.runner()
    runner.order = (3, -1, 2, 0)
    assert flight.order(176, 1.0, 1.0).result == 0
    flight.world.runner().order = (3, -1, 2, 0)
    flight.gcs.mav.manual_control_send(1, 300, -2000, 750, 100, 0)
    flight.turn(0.02)
    flight.gcs.mav.manual_control_send(1, 300, 32767, 750, 32767, 0)
    flight.turn(0.02)
    assert flight.world.runner().sticks[:4].tolist() == pytest.approx([-1.0, 0.0, 0.1, 0.5])
