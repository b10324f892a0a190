"""Nodes of ROS 1 that fly and drive what Cupola simulates, run by the system's own Python: `ros1_node.py WHO`."""

import importlib
import sys
from pathlib import Path

import rospy
from geometry_msgs.msg import TransformStamped, Twist, Wrench
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64, Float64MultiArray, String

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
    """Drive a base forward and to the left, by velocity."""
    out = rospy.Publisher("/velma_base/cmd_vel", Twist, queue_size=10)

    def heard(m):
        wish = Twist()
        wish.linear.x, wish.linear.y = 0.3, 0.1
        out.publish(wish)

    return rospy.Subscriber("/velma_base/odometry", Odometry, heard, **SOON)


def captor():
    """Bring the hand of Cepheus to the target, by joint torques along the Jacobian, and grip."""
    arm = [rospy.Publisher(f"/cepheus/left_{j}_effort_controller/command", Float64, queue_size=10) for j in JOINTS]
    base = rospy.Publisher("/cepheus/force_base_topic", Wrench, queue_size=10)
    grip = rospy.Publisher("/tsoulias_hear", String, queue_size=10)
    seen = {}

    def see(name):
        return lambda m: seen.__setitem__(name, m.transform)

    vicon = {"hand": "cepheus_endeffector", "target": "cepheus_target", "base": "cepheusbase"}
    eyes = [rospy.Subscriber(f"/vicon/{v}/{v}", TransformStamped, see(k), **SOON) for k, v in vicon.items()]

    def heard(m):
        torques = [-0.6 * rate for rate in m.velocity]
        turn = Wrench()
        if len(seen) == len(vicon):
            hand, target = seen["hand"].translation, seen["target"].translation
            push = 3.0 * (target.x - hand.x), 3.0 * (target.y - hand.y)
            for k, (x, y) in enumerate(_joints(seen["base"], m.position)):
                torques[k] += (hand.x - x) * push[1] - (hand.y - y) * push[0]
            turn.torque.z = -2.0 * seen["base"].rotation.z
            if abs(target.x - hand.x) < 0.03 and abs(target.y - hand.y) < 0.03:
                grip.publish(String(data="softgrip"))
        base.publish(turn)
        for out, torque in zip(arm, torques, strict=True):
            out.publish(Float64(data=torque))

    return [*eyes, rospy.Subscriber("/cepheus/joint_states", JointState, heard, **SOON)]


def _joints(base, angles):
    """Places of the three joints on the plane: lengths of the thesis's listing."""
    from math import atan2, cos, sin

    heading = 2.0 * atan2(base.rotation.z, base.rotation.w)
    x, y = base.translation.x, base.translation.y
    shoulder, length = (0.1425, -0.08225), (0.37, 0.368)
    places = [(x + shoulder[0] * cos(heading) - shoulder[1] * sin(heading),
               y + shoulder[0] * sin(heading) + shoulder[1] * cos(heading))]  # fmt: skip
    turn = heading
    for angle, along in zip(angles, length, strict=False):
        turn += angle
        places.append((places[-1][0] + along * cos(turn), places[-1][1] + along * sin(turn)))
    return places


JOINTS = ("shoulder", "elbow", "wrist")
WHO = {"pilot": pilot, "driver": driver, "captor": captor}
if __name__ == "__main__":
    rospy.init_node(sys.argv[1], disable_rosout=True)
    kept = WHO[sys.argv[1]]()
    rospy.spin()
