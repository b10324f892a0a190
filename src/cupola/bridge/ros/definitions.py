"""Message and service packages that a ROS machine may not have, in the text from which it builds them.

Fields, order and types are those of the nodes that speak them, else ROS refuses the connection: Last_letter_2's
repository, omnivelma's, Gazebo's. Those of `cupola_msgs` are in `record/messages.py`.
"""

from rosbags.typesys import get_types_from_msg
from rosbags.typesys.store import Typestore

from cupola.record.messages import MADE, OWN

LINK = "".join(f"float32 {name}\n" for name in ["x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r"])
MESSAGES = {
    "tf2_msgs/msg/TFMessage": "geometry_msgs/TransformStamped[] transforms\n",
    "last_letter_2_msgs/msg/channels": "# Sticks and buttons, or control inputs.\nstd_msgs/Header header\n"
    "float64[20] value\n",
    "last_letter_2_msgs/msg/link_states": "# Pose of a link in the world [m, rad], velocities in its axes [m/s, rad/s]"
    f": x forward, y left, z up.\nstd_msgs/Header header\n{LINK}",
    "last_letter_2_msgs/msg/model_states": "# All links.\nstd_msgs/Header header\n"
    "last_letter_2_msgs/link_states base_link_states\nlast_letter_2_msgs/link_states[10] airfoil_states\n"
    "last_letter_2_msgs/link_states[10] motor_states\n",
    "last_letter_2_msgs/msg/air_data": "# Wind in world axes [m/s], density [kg/m^3], pressure [mbar], temperature [K],"
    " gravity [m/s^2].\nstd_msgs/Header header\nfloat64 wind_x\nfloat64 wind_y\nfloat64 wind_z\nfloat64 density\n"
    "float64 pressure\nfloat64 temperature\nfloat64 gravity\n",
    "omnivelma_msgs/msg/Vels": "# Of the wheels front right, front left, rear left, rear right; NaN leaves one alone.\n"
    "float64 fr\nfloat64 fl\nfloat64 rl\nfloat64 rr\n",
    "omnivelma_msgs/msg/Encoders": "omnivelma_msgs/Vels velocity  # [rad/s]\nomnivelma_msgs/Vels angle  # [rad]\n",
    "omnivelma_msgs/msg/EncodersStamped": "std_msgs/Header header\nomnivelma_msgs/Encoders encoders\n",
    "omnivelma_msgs/msg/Relative": "float64 distance  # [m]\nfloat64 angle  # [rad]\n",
    "omnivelma_msgs/msg/RelativeStamped": "std_msgs/Header header\nomnivelma_msgs/Relative relative\n",
    "gazebo_msgs/msg/LinkStates": "string[] name\ngeometry_msgs/Pose[] pose\ngeometry_msgs/Twist[] twist\n",
}
"""Beside those that ROS 1 Noetic has."""
SERVICES = {
    "std_srvs/srv/Empty": ("", ""),
    "std_srvs/srv/Trigger": ("", "bool success\nstring message\n"),
    "std_srvs/srv/SetBool": ("bool data\n", "bool success\nstring message\n"),
    "last_letter_2_msgs/srv/get_control_inputs_srv": ("std_msgs/Header header\n", "float64[20] channels\n"),
    "omnivelma_msgs/srv/SetFriction": ("float64 mu1  # along the rollers\nfloat64 mu2  # across them\n", ""),
    "omnivelma_msgs/srv/SetInertia": (
        "geometry_msgs/Inertia base\ngeometry_msgs/Inertia front\ngeometry_msgs/Inertia wheel\n",
        "",
    ),
    "gazebo_msgs/srv/SpawnModel": (
        "string model_name\nstring model_xml\nstring robot_namespace\ngeometry_msgs/Pose initial_pose\n"
        "string reference_frame\n",
        "bool success\nstring status_message\n",
    ),
    "gazebo_msgs/srv/DeleteModel": ("string model_name\n", "bool success\nstring status_message\n"),
}
"""Request and response."""
READY_MADE = ("std_srvs", "gazebo_msgs", "tf2_msgs")
"""Packages that a ROS machine has, or installs from its own source of packages."""


def request_of(service: str) -> str:
    """The message type of a service's request."""
    return service.replace("/srv/", "/msg/") + "_Request"


def response_of(service: str) -> str:
    """The message type of a service's answer."""
    return service.replace("/srv/", "/msg/") + "_Response"


def text_of(name: str) -> str | None:
    """The definition of a message type that is none of ROS's usual ones."""
    for texts in (MESSAGES, OWN, MADE):
        if name in texts:
            return texts[name]
    for service, (request, response) in SERVICES.items():
        if name in (request_of(service), response_of(service)):
            return request if name == request_of(service) else response
    return None


def learn(store: Typestore, name: str) -> None:
    """Make a type, and those inside it, known to a store."""
    text = text_of(name)
    if name in store.fielddefs or not text:
        return
    for line in text.splitlines():
        inner, _, _ = line.partition("#")[0].strip().partition(" ")
        package, slash, short = inner.partition("[")[0].partition("/")
        if slash:
            learn(store, f"{package}/msg/{short}")
    store.register(get_types_from_msg(text, name))
