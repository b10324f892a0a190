"""Every topic and service that the specifications of the theses name, one by one: spoken, or why not."""

import math

import pytest
from tests.bridge.test_ros_wire import opened

import cupola
from cupola.bridge.ros.definitions import MESSAGES
from cupola.record.messages import types

OUT, IN, SERVED, ASKED = "out", "in", "served", "asked"
GAZEBO = dict.fromkeys(("/gazebo/spawn_urdf_model", "/gazebo/delete_model", "/gazebo/pause_physics"), SERVED)
LAST_LETTER = {
    "/joy": IN,
    "/last_letter_2/channels": IN,
    "/last_letter_2/model_states": OUT,
    "/last_letter_2/joint_states": OUT,
    "/tf": OUT,
    "/tf_static": OUT,
    "/clock": OUT,
    "/last_letter_2/air_data": OUT,
    "/last_letter_2/get_control_inputs_srv": ASKED,
    **GAZEBO,
}
"""Sections 2.4 to 2.6."""
SENSED = {f"/last_letter_2/sensors/{name}": OUT for name in ("camera/image", "camera/camera_info", "laser", "imu")}
OMNIVELMA = {
    "/omnivelma/vels": IN,
    **dict.fromkeys(("/omnivelma/pose", "/omnivelma/twist", "/omnivelma/encoders"), OUT),
    **dict.fromkeys(("/omnivelma/set_friction", "/omnivelma/set_inertia", "/flooria/set_friction"), SERVED),
    "/pseudovelma/vels": IN,
    **{f"/{model}/{what}": OUT for model in ("pseudovelma", "enkovelma") for what in ("pose", "twist", "odometry")},
    **dict.fromkeys(("/monokl_r/scan", "/monokl_l/scan", "/wewucho/imu"), OUT),
    **dict.fromkeys(("/omnicznica/relative", "/enkocznica/relative"), OUT),
    **dict.fromkeys(("/transmutator/twist", "/widelnica/vels"), IN),
}
"""Section 4.7, with the world of three."""
CEPHEUS = {
    **{f"/cepheus/left_{joint}_effort_controller/command": IN for joint in ("shoulder", "elbow", "wrist")},
    "/cepheus/force_base_topic": IN,
    "/tsoulias_hear": IN,
    **dict.fromkeys(
        ("/tsoulias_speak", "/cepheus/joint_states", "/cepheus/ft_sensor_topic", "/gazebo/link_states"), OUT
    ),
    **{f"/vicon/{body}/{body}": OUT for body in ("cepheusbase", "cepheus_endeffector", "cepheus_target")},
}
"""Sections 2.4 to 2.6."""
AXES = ("x", "y", "theta", "theta0")
BAG = {
    *(f"/msg_{name}" for name in ("RW", "LS", "LE", "LW", "ex", "ey", "etheta", "fextx", "fextx_raw")),
    *(f"/msg_{body}_{axis}{dot}" for body in ("xd", "xt", "xee") for axis in AXES for dot in ("", "_dot")),
    *(f"/msg_xt_{axis}{dot}_raw" for axis in AXES[:3] for dot in ("", "_dot")),
    *(f"/msg_q{k}{dot}" for k in (1, 2, 3) for dot in ("", "dot")),
    *(f"/msg_torque{name}" for name in ("q1", "q2", "q3", "rw")),
    *("/msg_theta0", "/msg_theta0dot", "/base_wrench"),
}
"""Section 2.7."""
ELSEWHERE = {
    "last_letter_2/apply_model_wrenches_srv": "between core_n and Gazebo, whose place the world takes",
    "/odszumiacz/imu": "a filter of its own, which subscribes to /wewucho/imu",
    "/lalkarz/encoders": "a display that subscribes",
    "/vrevelma/...": "the twin in V-REP",
    "cmd_thrust, cmd_torque": "of the robot's own computer; the specification has no types for them",
    "arduino_msg, start_moving, start_grab_msg": "between the controller and its gripper's program",
}
"""Named there and not spoken here, and why."""


def spoken(names, world, commanded=True):
    """Everything that there is, by name."""
    _, link = opened(names, world, commanded)
    graph = link.graph
    found = {out.stream.topic: OUT for out in graph.outgoing}
    found |= {one.topic: IN for one in graph.incoming}
    found |= {one.name: SERVED for one in graph.services}
    return found | {one.name: ASKED for one in graph.asked}


@pytest.mark.parametrize(
    ("names", "world", "specified"),
    [
        ("last_letter", "plane_1wing", LAST_LETTER),
        ("last_letter", "plane_1wing_sensors", SENSED),
        ("last_letter", "sensor_plane_camera", {"/last_letter_2/sensors/camera/image/compressed": OUT}),
        ("omnivelma", "omni_triple", OMNIVELMA),
        ("cepheus", "cepheus_capture", {**CEPHEUS, **GAZEBO}),
    ],
)
def test_every_name_of_the_specifications_is_spoken(names, world, specified):
    found = spoken(names, cupola.load(world))
    assert {name: found.get(name) for name in specified} == specified


def test_every_number_of_the_bag_is_told():
    assert set(spoken("cepheus", cupola.load("cepheus_capture"), commanded=False)) >= BAG


def test_what_is_spoken_is_not_excused():
    assert not set(ELSEWHERE) & {*LAST_LETTER, *SENSED, *OMNIVELMA, *CEPHEUS, *BAG} and all(ELSEWHERE.values())


def test_a_wheel_whose_speed_is_no_number_is_left_alone_and_one_topic_speaks_to_all_bases():
    """Section 4.6: NaN means "leave this wheel alone"; widelnica hands speeds on to the model and its twin."""
    world = cupola.load("omni_triple")
    exchange, link = opened("omnivelma", world)
    assert "NaN" in MESSAGES["omnivelma_msgs/msg/Vels"]
    vels = types().types.get("omnivelma_msgs/msg/Vels") or _learnt("omnivelma_msgs/msg/Vels")
    incoming = {one.topic: one for one in link.graph.incoming}
    exchange.arrived(incoming["/widelnica/vels"], vels(1.0, 2.0, 3.0, 4.0))
    exchange._before = {}
    first = [exchange._merged(exchange._commanding[name]) for name in ("omnivelma", "pseudovelma")]
    assert first[0] == first[1] and list(first[0].values()) == [1.0, 2.0, 3.0, 4.0]
    exchange.arrived(incoming["/omnivelma/vels"], vels(math.nan, 5.0, math.nan, 6.0))
    assert list(exchange._merged([incoming["/omnivelma/vels"]]).values()) == [5.0, 6.0]


def _learnt(name):
    from cupola.bridge.ros.definitions import learn

    learn(types(), name)
    return types().types[name]
