"""ROS 2 message definitions: the standard ones from `rosbags`, and our own few where ROS has none.

Each of ours starts with a std_msgs/Header and says the unit of every number; recordings carry these texts.
"""

from functools import cache

from rosbags.interfaces.typing import Fielddefs
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from cupola.record.stream import RecordingError

NUMBERS = "cupola_msgs/msg/Numbers"
"""The type whose messages name their numbers."""
OWN = {
    "cupola_msgs/msg/Air": """\
# The air at the vehicle, moving and still (world axes: x east, y north, z up).
std_msgs/Header header
geometry_msgs/Vector3 wind  # velocity of the air [m/s]
float64 density             # [kg/m^3]
float64 pressure            # static [Pa]
float64 temperature         # [K]
""",
    "cupola_msgs/msg/Airspeed": """\
# What a pitot tube says.
std_msgs/Header header
float64 differential_pressure  # total over static [Pa]
float64 indicated_airspeed     # true airspeed at the density of standard sea level [m/s]
""",
    "cupola_msgs/msg/Rotor": """\
# One rotor or propeller.
std_msgs/Header header
float64 thrust    # along the shaft [N]
float64 torque    # on the vehicle about the shaft [N m]
float64 omega     # shaft speed [rad/s]
float64 airspeed  # of the rotor through the air [m/s]
float64 current   # of the motor [A]
float64 power     # taken from the shaft [W]
""",
    "cupola_msgs/msg/Airfoil": """\
# One lifting surface.
std_msgs/Header header
float64 airspeed                # [m/s]
float64 alpha                   # angle of attack [rad]
float64 beta                    # angle of sideslip [rad]
float64 c_lift                  # lift coefficient [-]
float64 c_drag                  # drag coefficient [-]
geometry_msgs/Vector3 force     # axes of its site: x forward, y left, z up [N]
geometry_msgs/Vector3 torque    # about its site, axes of the site [N m]
""",
    NUMBERS: """\
# What a part says of itself, by name.
std_msgs/Header header
string[] name
float64[] value  # [unit of each]
""",
    "cupola_msgs/msg/Wing": """\
# One wing of strips and what the air does to it: forces at its site, without the air that it carries along.
std_msgs/Header header
float64 airspeed                # of its root through the air [m/s]
float64 alpha                   # mean effective angle of attack of its strips [rad]
float64 beta                    # angle of sideslip at its root [rad]
float64 c_lift                  # lift coefficient, by the airspeed of the root and the area as built [-]
float64 c_drag                  # drag coefficient [-]
geometry_msgs/Vector3 force     # axes of its site: x forward, y left, z up [N]
geometry_msgs/Vector3 torque    # about its site, axes of the site [N m]
float64 power                   # that the air gives to its body, and what moves with the shape [W]
float64 work                    # given so far [J]
float64 drive                   # that the drives of its shape give [W]
float64 driven                  # given so far [J]
""",
    "cupola_msgs/msg/LiftDrag": """\
# One surface by the numbers of Gazebo's LiftDrag, with everything it computes; axes of its link.
std_msgs/Header header
float64 speed                   # in the plane of lift and drag [m/s]
float64 sweep                   # of the velocity against that plane [rad]
float64 alpha                   # angle of attack, offset included [rad]
float64 pressure                # dynamic [Pa]
float64 c_lift                  # lift coefficient [-]
float64 c_drag                  # drag coefficient [-]
float64 c_moment                # moment coefficient, nose up [-]
float64 control                 # angle of its control joints [rad]
float64 lift                    # [N]
float64 drag                    # [N]
float64 side                    # along the span [N]
float64 moment                  # nose up [N m]
geometry_msgs/Vector3 vel       # of the centre of pressure [m/s]
geometry_msgs/Vector3 force     # [N]
geometry_msgs/Vector3 torque    # about the origin of the link [N m]
""",
    "cupola_msgs/msg/Vels": """\
# One number per wheel of a base with four: front right, front left, rear left, rear right.
float64 fr  # [unit said where it is used]
float64 fl  # [the same]
float64 rl  # [the same]
float64 rr  # [the same]
""",
    "cupola_msgs/msg/Encoders": """\
# Encoders of the wheels of a base.
std_msgs/Header header
cupola_msgs/Vels velocity  # [rad/s]
cupola_msgs/Vels angle     # [rad]
""",
    "cupola_msgs/msg/Wheels": """\
# Motors of the wheels of a base.
std_msgs/Header header
cupola_msgs/Vels target  # speed that each was asked for last [rad/s]
cupola_msgs/Vels torque  # [N m]
float64 current          # of their supply [A]
float64 tripped          # 1: the supply has given up [-]
""",
    "cupola_msgs/msg/Relative": """\
# Where a vehicle is to another, on the plane.
std_msgs/Header header
float64 distance  # [m]
float64 angle     # its yaw less that of the other [rad]
""",
    "cupola_msgs/msg/Channels": """\
# What the controller asks for and what the actuators deliver, one entry per channel.
std_msgs/Header header
string[] name
float64[] command  # [unit of the channel]
float64[] drive    # after limits, lag and delay [unit of the channel]
""",
    "cupola_msgs/msg/Exchange": """\
# What a model from outside was given and what it gave, one entry per number.
std_msgs/Header header
string[] input_name
float64[] input    # [unit of the quantity it is mapped to]
string[] output_name
float64[] output   # [unit of the quantity it is mapped to]
""",
    "cupola_msgs/msg/Parameter": """\
# A parameter was changed while the simulation ran.
std_msgs/Header header
string name
float64 value  # the new value [unit of the parameter]
""",
    "cupola_msgs/msg/Event": """\
# Something happened at one moment: a touch, a take-off, a grip, a fault.
std_msgs/Header header
string vehicle
string part   # empty: the vehicle as a whole
string event
""",
    "cupola_msgs/msg/Command": """\
# Something was done to the world while it ran: done again at the same times, it gives the same flight.
std_msgs/Header header
string call       # method of cupola.World
string arguments  # JSON list
bool outside      # false: the world did it by itself, from its scenario or its sticks
""",
}

MADE: dict[str, str] = {}
"""Types that were made of the names of numbers: see `named_numbers`."""


@cache
def types() -> Typestore:
    """All message types that can be recorded: those of ROS 2 Jazzy and ours."""
    store = get_typestore(Stores.ROS2_JAZZY)
    for name, text in OWN.items():
        store.register(get_types_from_msg(text, name))
    return store


def fields(name: str, store: Typestore | None = None) -> Fielddefs:
    """Names and types of a message's fields, in `store` or among those that can be recorded."""
    known = store or types()
    if name not in known.fielddefs:
        raise RecordingError(f"no message type {name!r}; there are those of ROS 2 Jazzy and {', '.join(OWN)}")
    return known.fielddefs[name][1]


def definition(name: str) -> str:
    """Definition text of a message type followed by those it needs, as MCAP's schema encoding "ros2msg" wants it.

    `rosbags` leaves comments out, so the units would be lost: our own text goes in front of its list.
    """
    text = types().generate_msgdef(name, ros_version=2)[0]
    own, separator, needed = text.partition("=" * 80)
    return OWN.get(name, MADE.get(name, own)) + separator + needed
