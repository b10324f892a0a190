"""Parts: physics bound to bodies, joints and sites. Kinds are this dictionary; a file path names a part of your own."""

from cupola.parts.airfoil import Airfoil
from cupola.parts.airspeed import Airspeed
from cupola.parts.barometer import Barometer
from cupola.parts.battery import Battery, BatteryMonitor
from cupola.parts.bluff import BluffBody
from cupola.parts.c_model import CModel
from cupola.parts.camera import Camera
from cupola.parts.encoder import Encoder
from cupola.parts.flapping import FlappingMechanism
from cupola.parts.fmu import Fmu
from cupola.parts.force_torque import ForceTorque
from cupola.parts.gas import AirBearing, GasTank, ThrusterPair
from cupola.parts.gnss import Gnss
from cupola.parts.gripper import Gripper
from cupola.parts.imu import Imu
from cupola.parts.laser import Laser
from cupola.parts.liftdrag import LiftDragSurface
from cupola.parts.magnetometer import Magnetometer
from cupola.parts.mecanum import Mecanum
from cupola.parts.mixer import Mixer
from cupola.parts.monitor import Monitor
from cupola.parts.motion_capture import MotionCapture
from cupola.parts.motor import JointMotor, ReactionWheel
from cupola.parts.part import Part
from cupola.parts.peer import Peer
from cupola.parts.rangefinder import Rangefinder
from cupola.parts.rotor import Rotor
from cupola.parts.servo import Servo
from cupola.parts.truth import Truth
from cupola.parts.wing import Wing

KINDS: dict[str, type[Part]] = {
    "airfoil": Airfoil,
    "liftdrag": LiftDragSurface,
    "rotor": Rotor,
    "servo": Servo,
    "mixer": Mixer,
    "imu": Imu,
    "truth": Truth,
    "barometer": Barometer,
    "gnss": Gnss,
    "magnetometer": Magnetometer,
    "airspeed": Airspeed,
    "rangefinder": Rangefinder,
    "laser": Laser,
    "camera": Camera,
    "bluff": BluffBody,
    "battery": Battery,
    "battery_monitor": BatteryMonitor,
    "mecanum": Mecanum,
    "encoder": Encoder,
    "wing": Wing,
    "flapping": FlappingMechanism,
    "fmu": Fmu,
    "c": CModel,
    "peer": Peer,
    "joint_motor": JointMotor,
    "reaction_wheel": ReactionWheel,
    "gas_tank": GasTank,
    "air_bearing": AirBearing,
    "thruster_pair": ThrusterPair,
    "gripper": Gripper,
    "force_torque": ForceTorque,
    "motion_capture": MotionCapture,
    "monitor": Monitor,
}
CODES = {kind: code for code, kind in enumerate(KINDS)}
"""How compiled code tells sensors apart."""
