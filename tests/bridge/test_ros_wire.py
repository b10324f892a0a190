"""Messages of ROS without any ROS: on both wires they are what independent readers read, for every dialect."""

import math
import subprocess

import mujoco
import numpy as np
import pytest
from tests.bridge.ros1_machine import SYSTEM, missing

import cupola
from cupola.bridge.ros.definitions import SERVICES, learn, request_of
from cupola.bridge.ros.dialects import dialect
from cupola.bridge.ros.exchange import Exchange, Times
from cupola.bridge.ros.graph import Sample
from cupola.bridge.ros.template import Template, plain
from cupola.bridge.ros1.messages import service_checksum, store, stream_of
from cupola.cli import main
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.record.encode import HEAD, Encoder
from cupola.record.messages import types
from cupola.record.stream import Stream

WORLDS = {"cupola": "quadcopter", "last_letter": "plane_1wing", "omnivelma": "velma_base", "cepheus": "cepheus_capture"}
IMU = Stream(
    "/a/imu",
    "sensor_msgs/msg/Imu",
    ("linear_acceleration.x", "linear_acceleration.y", "angular_velocity.z", "orientation.w"),
    {"header.frame_id": "a/base", "orientation_covariance": [-1.0] + [0.0] * 8},
)


class Nobody:
    """A link that keeps what was sent."""

    peer = "nobody"

    def __init__(self):
        self.sent = []
        self.answers = None
        """What happens when the time is told, which is the first of all messages."""

    def open(self, graph, hearer, lockstep):
        self.graph, self.hearer = graph, hearer

    def send(self, which, sample):
        self.sent.append((self.graph.outgoing[which], sample))
        if which == 0 and self.answers:
            self.answers()

    def senders(self, which):
        return frozenset(["somebody"])

    def ask(self, which, stamp, timeout):
        raise AssertionError(which)

    def close(self):
        pass


def opened(names, world, commanded=True):
    link = Nobody()
    exchange = Exchange(link, Times(1.0, 1.0), lockstep=False)
    exchange.open(world, dialect(names), commanded)
    return exchange, link


@pytest.mark.parametrize("names", WORLDS)
def test_every_message_of_a_dialect_is_read_back_as_it_was_meant_on_both_wires(names):
    world = cupola.load(WORLDS[names])
    _, link = opened(names, world)
    world.run(0.05)
    link.hearer.publish()
    assert {"/clock", "/tf"} <= {out.stream.topic for out, _ in link.sent}
    for out, sample in link.sent:
        learn(types(), out.stream.type)
        first = Template(stream_of(out.stream), store(), packed=True).fill(sample)
        second = Template(out.stream, types()).fill(sample)
        one = plain(store().deserialize_ros1(first, out.stream.type))
        two = plain(types().deserialize_cdr(second, out.stream.type))
        assert without_counts(one) == without_counts(two), out.stream.topic
        seen = {float(np.float32(number)) for number in numbers_in(two)}
        assert {float(np.float32(n)) for n in sample.numbers if n == n} <= seen, out.stream.topic


PLACES, ARM = ("x", "y", "theta", "theta0"), (1, 2, 3)
THESIS_BAG = {
    *("msg_RW", "msg_LS", "msg_LE", "msg_LW", "msg_ex", "msg_ey", "msg_etheta", "msg_fextx", "msg_fextx_raw"),
    *(f"msg_{body}_{axis}{end}" for body in ("xd", "xt", "xee") for axis in PLACES for end in ("", "_dot")),
    *(f"msg_xt_{axis}{end}_raw" for axis in PLACES[:3] for end in ("", "_dot")),
    *(f"msg_q{k}{end}" for k in ARM for end in ("", "dot")),
    *("msg_theta0", "msg_theta0dot", "msg_torquerw", *(f"msg_torqueq{k}" for k in ARM)),
}
"""Numbers that the program of the Cepheus thesis kept, by the names of its variables."""


def test_the_bag_of_the_cepheus_thesis_has_all_its_names_with_the_numbers_of_the_mission():
    world = cupola.load("cepheus_capture")
    _, link = opened("cepheus", world, commanded=False)
    world.run(2.0)
    link.sent.clear()
    link.hearer.publish()
    said = {out.stream.topic[1:]: sample.numbers for out, sample in link.sent}
    assert said.keys() >= THESIS_BAG | {"base_wrench"}
    assert all(out.stream.type == "std_msgs/msg/Float64" for out, _ in link.sent if out.stream.topic[1:] in THESIS_BAG)
    same = {
        "msg_xd_x": "hand.x", "msg_xd_theta_dot": "hand_rate.yaw", "msg_xd_theta0": "base.yaw", "msg_ex": "error.x",
        "msg_etheta": "error.yaw", "msg_xt_y": "seen.target.y", "msg_xee_theta": "seen.hand.yaw", "msg_fextx": "push",
        "msg_xee_theta0_dot": "seen.base_rate.yaw", "msg_q2": "seen.joints.elbow", "msg_torqueq1": "torques.shoulder",
        "msg_q3dot": "seen.joint_rates.wrist", "msg_LE": "torques.elbow", "msg_RW": "torques.base",
        "base_wrench": "torques.base",
    }  # fmt: skip
    for name, signal in same.items():
        assert said[name][0] == world.signal(f"chaser.controller.{signal}"), name
    assert said["msg_fextx_raw"][0] == world.signal("chaser.force.force_s.x")
    assert said["msg_xt_x_raw"][0] == pytest.approx(said["msg_xt_x"][0], abs=1e-3)
    assert said["msg_xt_theta_dot_raw"][0] == pytest.approx(said["msg_xt_theta_dot"][0], abs=0.05)  # two noisy looks
    # Who commands the robot keeps its own.
    _, others = opened("cepheus", cupola.load("cepheus_capture"))
    assert not THESIS_BAG & {out.stream.topic[1:] for out in others.graph.outgoing}


def without_counts(value):
    """Without what only ROS 1 has, and with what it calls otherwise; two that are not numbers are alike."""
    if isinstance(value, dict):
        return {key.lower(): without_counts(one) for key, one in value.items() if key != "seq"}
    if isinstance(value, list):
        return [without_counts(one) for one in value]
    return "nan" if isinstance(value, float) and value != value else value


def numbers_in(value):
    if isinstance(value, dict):
        return [one for part in value.values() for one in numbers_in(part)]
    if isinstance(value, list):
        return [one for part in value for one in numbers_in(part)]
    return [value] if isinstance(value, float) and value == value else []


def test_live_messages_are_the_bytes_of_a_recording():
    numbers = [1.5, -2.25, 0.125, 1.0]
    live = Template(IMU, types()).fill(Sample(1_234_567_891, numbers))
    stamp = np.array([1_234_567_891])
    recorded = Encoder(IMU, 1).encode(stamp, stamp, np.array([numbers]), 0)[0].tobytes()[HEAD.itemsize :]
    assert live == recorded


def test_a_sequence_number_counts_the_messages_of_a_sender():
    maker = Template(stream_of(IMU), store(), packed=True)
    said = [plain(store().deserialize_ros1(maker.fill(Sample(0, [0.0] * 4)), IMU.type)) for _ in range(3)]
    assert [one["header"]["seq"] for one in said] == [1, 2, 3]


@pytest.mark.parametrize(
    ("service", "checksum"),
    [
        ("std_srvs/srv/Empty", "d41d8cd98f00b204e9800998ecf8427e"),
        ("std_srvs/srv/SetBool", "09fb03525b03e7ea1fd3992bafd87e16"),
        ("std_srvs/srv/Trigger", "937c9679a518e3a18d831e57125ea522"),
    ],
)
def test_checksums_of_services_are_those_of_ros(service, checksum):
    assert service_checksum(service) == checksum


def test_frames_follow_rep_103_with_numbers_that_no_two_axes_share():
    world = cupola.load("quadcopter")
    world.start_at(position=(1.0, 2.0, 3.0), attitude_deg=(10.0, 20.0, 30.0), velocity_b=(0.5, 0.25, 0.125))
    world.reset()
    for names, topic in (("cupola", "/quadcopter/odometry"), ("last_letter", "/last_letter_2/model_states")):
        _, link = opened(names, world)
        link.hearer.publish()
        sample = next(sample for out, sample in link.sent if out.stream.topic == topic)
        assert sample.numbers[:3] == pytest.approx([1.0, 2.0, 3.0])
        place = 7 if names == "cupola" else 6
        assert sample.numbers[place : place + 3] == pytest.approx([0.5, 0.25, 0.125])
    assert sample.numbers[3:6] == pytest.approx(np.radians([10.0, 20.0, 30.0]))
    # A motor of the quadcopter has its shaft along x, and that points up from the body.
    x, y, z = sample.numbers[12:15]
    assert (x, y, z) != pytest.approx((1.0, 2.0, 3.0))


def test_services_act_on_the_world_and_refuse_in_a_sentence():
    world = cupola.load("hover")
    exchange, link = opened("cupola", world)
    by_name = {one.name: one for one in link.graph.services}
    assert by_name["/quadcopter/drop_box"].act(None)["success"] and world.boxes.dropped() == [0]
    by_name["/cupola/remove_boxes"].act(None)
    assert world.boxes.dropped() == []
    Friction = types_of("omnivelma_msgs/srv/SetFriction")
    by_name["/cupola/set_friction"].act(Friction(0.5, 0.5))
    assert world.parameters["floor.friction"][1] == 0.5
    with pytest.raises(cupola.InputError, match="one friction in all directions"):
        by_name["/cupola/set_friction"].act(Friction(0.5, 0.6))
    world.run(0.1)
    by_name["/cupola/reset"].act(None)
    assert world.tick == 0
    by_name["/cupola/pause"].act(types_of("std_srvs/srv/SetBool")(True))
    assert exchange.is_paused()


GOOD = {
    "omnivelma_msgs/srv/SetFriction": (0.01, 0.01),
    "omnivelma_msgs/srv/SetInertia": ((40.0, (0.0, 0.0, 0.01), 2.0, 0.1, 0.0, 2.5, 0.0, 3.0),) * 3,
    "gazebo_msgs/srv/SpawnModel": ("a", "", "", ((0.0, 0.0, -0.1), (0.0, 0.0, 0.0, 1.0)), ""),
}
"""Numbers that are obeyed."""


def build(name, values):
    """A message of a type from values in the order of its fields."""
    inner = [kind for _, kind in store().fielddefs[name][1]]
    made = [build(kind[1], value) if kind[0] == 2 else value for kind, value in zip(inner, values, strict=True)]
    return store().types[name](*made)


def with_each_number_bad(values, bad):
    """The values with one number after the other changed."""
    for k, value in enumerate(values):
        if isinstance(value, tuple):
            for inner in with_each_number_bad(value, bad):
                yield (*values[:k], inner, *values[k + 1 :])
        elif isinstance(value, float):
            yield (*values[:k], bad, *values[k + 1 :])


def refusal(service, request):
    """Why a service does not do what it is asked; empty: it did."""
    try:
        answer = service.act(request)
    except (cupola.InputError, ValueError) as error:
        return str(error)
    return "" if answer.get("success", True) else answer["status_message"]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e30, -1e30, 1e13])
@pytest.mark.parametrize("dialect_name", ["cupola", "omnivelma", "last_letter"])
def test_no_service_obeys_a_number_that_means_nothing(dialect_name, bad):
    """Each number of each request of every dialect; what is refused changes nothing, of the same request neither."""
    world = cupola.load(Scenario(vehicles=(VehicleEntry(model="velma_base", name="base"),), boxes=3))
    _, link = opened(dialect_name, world)
    kept = world.state_hash()
    asked = 0
    for service in [one for one in link.graph.services if one.type in GOOD]:
        types_of(service.type)
        request = request_of(service.type)
        bodies = {name: value for name, (_, value) in world.parameters.items()}
        for values in with_each_number_bad(GOOD[service.type], bad):
            assert refusal(service, build(request, values)), values
            asked += 1
        assert {name: value for name, (_, value) in world.parameters.items()} == bodies
    assert asked and world.state_hash() == kept and not world.boxes.dropped()
    for service in [one for one in link.graph.services if one.type in GOOD]:
        service.act(build(request_of(service.type), GOOD[service.type]))


@pytest.mark.parametrize(
    ("inertia", "why"),
    [
        ((2.0, 0.0, 0.0, 2.5, 0.0, 5.0), "front: no principal moment may be larger than the other two"),
        ((2.0, 3.0, 0.0, 2.5, 0.0, 3.0), "front: all principal moments of inertia must be above 0"),
        ((1e30, 0.0, 0.0, 1e30, 0.0, 1e30), "front: the inertia of a body must lie within ±1e[+]12 kg m²"),
    ],
)
def test_an_inertia_that_no_body_can_have_is_refused_whole(inertia, why):
    world = cupola.load("velma_base")
    _, link = opened("omnivelma", world)
    service = next(one for one in link.graph.services if one.name.endswith("set_inertia"))
    types_of(service.type)
    good = GOOD[service.type][0]
    before = world.inertia("velma_base/base")
    with pytest.raises(cupola.InputError, match=why):
        service.act(build(request_of(service.type), (good, (*good[:2], *inertia), good)))
    assert world.inertia("velma_base/base") == before


@pytest.mark.parametrize(
    ("model", "why"),
    [
        ('<box size="0.1 0.1 0.1"/>', "the size '0.1 0.1 0.1'"),
        ("<box><size>0.05 0.05 1e30</size></box>", "the size '0.05 0.05 1e30'"),
        ('<mass value="7"/>', "the mass '7'"),
        ("<mass>nan</mass>", "the mass 'nan'"),
        ('<box size="0.05 0.05 0.05"/><mass value="1.0"/>', ""),
    ],
)
def test_a_box_of_another_size_or_mass_is_not_spawned_in_silence(model, why):
    world = cupola.load(Scenario(vehicles=(VehicleEntry(model="quadcopter"),), boxes=1))
    _, link = opened("last_letter", world)
    service = next(one for one in link.graph.services if one.name == "/gazebo/spawn_urdf_model")
    types_of(service.type)
    request = build(request_of(service.type), ("a", model, *GOOD[service.type][2:]))
    assert why in refusal(service, request) if why else service.act(request)["success"]


def types_of(service):
    learn(store(), request := service.replace("/srv/", "/msg/") + "_Request")
    return store().types[request]


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_stock_ros_machine_makes_the_same_types_of_the_packages(tmp_path, capsys):
    with pytest.raises(SystemExit) as done:
        main(["ros1", "velma_base", "--names", "omnivelma", "--messages", str(tmp_path / "src")])
    assert not done.value.code, capsys.readouterr().err
    package = tmp_path / "src" / "omnivelma_msgs"
    assert {"package.xml", "CMakeLists.txt", "msg", "srv"} <= {path.name for path in package.iterdir()}
    said = generated(package, "msg", tmp_path) | generated(package, "srv", tmp_path)
    for name, checksum in said.items():
        if f"omnivelma_msgs/srv/{name}" in SERVICES:
            assert checksum == service_checksum(f"omnivelma_msgs/srv/{name}")
        else:
            learn(store(), f"omnivelma_msgs/msg/{name}")
            assert checksum == store().generate_msgdef(f"omnivelma_msgs/msg/{name}", ros_version=1)[1]
    assert {"Vels", "EncodersStamped", "SetFriction", "SetInertia"} <= said.keys()


def generated(package, kind, folder):
    """Checksums in the code that ROS's own generator, which catkin calls, makes of a package."""
    out = folder / "out" / package.name / kind
    out.mkdir(parents=True)
    others = [f"-I{name}:{folder / name}" for name in ("std_msgs", "geometry_msgs")]
    for name in ("std_msgs/msg/Header", "geometry_msgs/msg/Inertia", "geometry_msgs/msg/Vector3"):
        file = folder / name.replace("/msg/", "/")
        file.parent.mkdir(exist_ok=True)
        text = store().generate_msgdef(name, ros_version=1)[0].partition("=" * 80)[0]
        file.with_suffix(".msg").write_text(text)
    found = {}
    for file in sorted((package / kind).iterdir()):
        words = [SYSTEM, f"/usr/lib/genpy/gen{kind}_py.py", str(file), f"-I{package.name}:{package / 'msg'}", *others]
        done = subprocess.run([*words, "-p", package.name, "-o", str(out)], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        text = (out / f"_{file.stem}.py").read_text()
        found[file.stem] = text.rpartition('_md5sum = "' if kind == "msg" else "_md5sum = '")[2][:32]
    return found


def test_states_of_all_links_need_no_part_of_their_own():
    """Place, attitude and motion of base, airfoils and motors in one message, as MuJoCo itself has them."""
    world = cupola.load("plane_3wing_2motor")
    _, link = opened("last_letter", world)
    world.run(0.2)
    link.hearer.publish()
    sample = next(sample for out, sample in link.sent if out.stream.topic == "/last_letter_2/model_states")
    states = np.reshape(sample.numbers, (-1, 12))
    parts = [b for b in world.assembly.parts if b.part.kind in ("airfoil", "rotor")]
    sites = [f"plane_3wing_2motor/{b.part.at_site()}" for b in sorted(parts, key=lambda b: b.part.kind)]
    assert len(states) == 1 + len(sites) == 6
    motion = np.zeros(6)
    for site, state in zip(sites, states[1:], strict=True):
        place = world.model.site(site).id
        mujoco.mj_objectVelocity(world.model, world.data, mujoco.mjtObj.mjOBJ_SITE, place, motion, 1)
        np.testing.assert_allclose(state[:3], world.data.site_xpos[place], atol=1e-9)
        np.testing.assert_allclose(state[6:], [*motion[3:], *motion[:3]], atol=1e-9)
        roll, pitch, yaw = state[3:6]
        front = [np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), -np.sin(pitch)]
        np.testing.assert_allclose(world.data.site_xmat[place].reshape(3, 3)[:, 0], front, atol=1e-9)
        assert abs(roll) <= np.pi
