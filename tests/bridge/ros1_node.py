"""Nodes of ROS 1 that fly and drive what Cupola simulates, run by the system's own Python: `ros1_node.py WHO`."""

import importlib
import math
import sys
import threading
import time
from pathlib import Path
from typing import Any

import rosbag
import rospy
import tf2_ros
from geometry_msgs.msg import TransformStamped, Twist, Wrench
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64, Float64MultiArray, String
from std_srvs.srv import SetBool, Trigger

sys.path.insert(0, str(Path(__file__).parent))
fly = importlib.import_module("ros_law").fly

SOON = {"queue_size": 1, "tcp_nodelay": True}


def pilot():
    """Fly the quadcopter: one command for each odometry."""
    out = rospy.Publisher("/quadcopter/command", Float64MultiArray, queue_size=10)

    def heard(m):
        at, turn, twist = m.pose.pose.position, m.pose.pose.orientation, m.twist.twist
        stamp = m.header.stamp
        data = fly(
            stamp.secs + 1e-9 * stamp.nsecs,
            (at.x, at.y, at.z),
            (turn.w, turn.x, turn.y, turn.z),
            (twist.linear.x, twist.linear.y, twist.linear.z),
            (twist.angular.x, twist.angular.y, twist.angular.z),
        )
        out.publish(Float64MultiArray(data=data))

    return rospy.Subscriber("/quadcopter/odometry", Odometry, heard, **SOON)


def driver():
    """Drive a base by velocity until it has gone some way, then say nothing, until it says that it has stopped."""
    out = rospy.Publisher("/velma_base/cmd_vel", Twist, queue_size=10)
    far = []

    def heard(m):
        at = m.pose.pose.position
        if at.x > 0.15 and at.y > 0.05:
            far.append(m.header.stamp)
        if not far:
            wish = Twist()
            wish.linear.x, wish.linear.y = 0.3, 0.15
            out.publish(wish)

    def told(m):
        if far and m.data.startswith("stopped: no reference"):
            rospy.signal_shutdown("it went, and it stopped")

    rospy.Subscriber("/velma_base/phase", String, told)
    return rospy.Subscriber("/velma_base/odometry", Odometry, heard, **SOON)


def tape(path, wanted, *topics):
    """Write topics into a bag by the library of rosbag, as they are on the wire; ends when it has so many of each.

    Nothing is lost by this node: it has no queue, so that who sends waits until all is taken. (`rosbag record`
    drops some on a busy machine.) What is told again counts once, without its number in sequence.
    """
    bag, one_by_one = rosbag.Bag(path, "w"), threading.Lock()
    seen = {topic: set() for topic in topics}

    def heard(m, topic):
        told = m._connection_header
        kind = type("Kind", (), {"_md5sum": told["md5sum"]})
        with one_by_one:
            seen[topic].add(m._buff[4 if "quadcopter" in topic else 0 :])
            bag.write(topic, (told["type"], m._buff, told["md5sum"], kind), raw=True, connection_header=told)

    kept = [rospy.Subscriber(topic, rospy.AnyMsg, heard, topic, tcp_nodelay=True) for topic in topics]
    while not rospy.is_shutdown() and min(map(len, seen.values())) < int(wanted):
        time.sleep(0.02)
    for one in kept:
        one.unregister()
    with one_by_one:
        bag.close()
    rospy.signal_shutdown("all is taped")


def thesis():
    """A controller node of Last_letter_2: it keeps the states, and answers the service that asks for its channels."""
    messages = importlib.import_module("last_letter_2_msgs.msg")
    services = importlib.import_module("last_letter_2_msgs.srv")
    newest = []

    def store(m):
        newest[:] = [m]

    def answer(request):
        while not newest or newest[0].header.stamp != request.header.stamp:
            time.sleep(0.0005)  # as there: it waits until it has the states of this step
        s = newest[0].base_link_states
        turn = (1.0, 0.5 * s.phi, 0.5 * s.theta, 0.5 * s.psi)
        found = fly(request.header.stamp.to_sec(), (s.x, s.y, s.z), turn, (s.u, s.v, s.w), (s.p, s.q, s.r))
        return services.get_control_inputs_srvResponse(channels=found + [0.0] * 16)

    rospy.Service("last_letter_2/get_control_inputs_srv", services.get_control_inputs_srv, answer)
    return rospy.Subscriber("last_letter_2/model_states", messages.model_states, store, **SOON)


def caller():
    """Call the services of a world, look at its frames, and end if all is as it should be."""
    times = []
    rospy.Subscriber("/clock", Clock, lambda m: times.append(m.clock.to_sec()))
    buffer = tf2_ros.Buffer()
    kept = tf2_ros.TransformListener(buffer)
    call = {name: rospy.ServiceProxy(name, kind) for name, kind in SERVICES.items()}
    for name in call:
        rospy.wait_for_service(name, 400)
    assert call["/quadcopter/drop_box"]().success

    def until(true):
        end = time.monotonic() + 400
        while not true():
            assert time.monotonic() < end
            time.sleep(0.05)

    until(lambda: times and times[-1] > 0.5)
    assert call["/cupola/pause"](True).success
    time.sleep(0.5)
    stood = len(times)
    time.sleep(0.5)
    assert len(times) == stood, "time went on"
    assert call["/cupola/pause"](False).success
    until(lambda: len(times) > stood + 5)
    until(lambda: buffer.can_transform("world", "quadcopter/motor1_site", rospy.Time(0)))
    place = buffer.lookup_transform("world", "quadcopter/motor1_site", rospy.Time(0)).transform.translation
    assert abs(place.x - 0.205) < 0.2 and place.z > 0.5, place
    before = times[-1]
    assert call["/cupola/reset"]().success
    until(lambda: times[-1] < before)
    del kept
    rospy.signal_shutdown("all is well")


def captor():
    """Bring the hand of Cepheus to the target, by torques along the Jacobian, and grip."""
    arm = [rospy.Publisher(f"/cepheus/left_{j}_effort_controller/command", Float64, queue_size=10) for j in JOINTS]
    base = rospy.Publisher("/cepheus/force_base_topic", Wrench, queue_size=10)
    grip = rospy.Publisher("/tsoulias_hear", String, queue_size=10)
    seen = {}

    def see(name):
        return lambda m: seen.__setitem__(name, m.transform)

    vicon = {"hand": "cepheus_endeffector", "target": "cepheus_target", "base": "cepheusbase"}
    eyes = [rospy.Subscriber(f"/vicon/{v}/{v}", TransformStamped, see(k), **SOON) for k, v in vicon.items()]

    def heard(m):
        torques = [-d * rate for d, rate in zip((0.3, 0.2, 0.01), m.velocity, strict=True)]  # the hand is light
        turn = Wrench()
        if len(seen) == len(vicon):
            hand, target = seen["hand"], seen["target"]
            push = [4.0 * (getattr(target.translation, a) - getattr(hand.translation, a)) for a in "xy"]
            for k, (x, y) in enumerate(joints(seen["base"], m.position)[:2]):
                torques[k] += (hand.translation.x - x) * push[1] - (hand.translation.y - y) * push[0]
            torques[2] += 0.02 * (yaw(target) - yaw(hand))
            if math.hypot(*push) < 4.0 * 0.045:
                grip.publish(String(data="softgrip"))
        for out, torque in zip(arm, torques, strict=True):
            out.publish(Float64(data=torque))
        base.publish(turn)

    return [*eyes, rospy.Subscriber("/cepheus/joint_states", JointState, heard, **SOON)]


def yaw(seen):
    return 2.0 * math.atan2(seen.rotation.z, seen.rotation.w)


def joints(base, angles):
    """Places of the three joints on the plane, by the numbers of the simulated robot."""
    turn = yaw(base)
    x, y = base.translation.x, base.translation.y
    x, y = (
        x + 0.1425 * math.cos(turn) + 0.08225 * math.sin(turn),
        y + 0.1425 * math.sin(turn) - 0.08225 * math.cos(turn),
    )
    places, turn = [(x, y)], turn - math.pi / 6
    for angle, along in zip(angles, (0.37, 0.368), strict=False):
        turn += angle
        x, y = x + along * math.cos(turn), y + along * math.sin(turn)
        places.append((x, y))
    return places


JOINTS = ("shoulder", "elbow", "wrist")
SERVICES = {"/quadcopter/drop_box": Trigger, "/cupola/pause": SetBool, "/cupola/reset": Trigger}
WHO: dict[str, Any] = {
    "pilot": pilot,
    "tape": tape,
    "driver": driver,
    "captor": captor,
    "thesis": thesis,
    "caller": caller,
}
if __name__ == "__main__":
    rospy.init_node(sys.argv[1], disable_rosout=True)
    kept = WHO[sys.argv[1]](*sys.argv[2:])
    rospy.spin()
