"""Parts: physics bound to bodies, joints and sites. Kinds are this dictionary; a file path names a part of your own."""

from cupola.parts.aero.airfoil import Airfoil
from cupola.parts.aero.bluff import BluffBody
from cupola.parts.aero.liftdrag import LiftDragSurface
from cupola.parts.aero.table_aero import TableAero
from cupola.parts.aero.wing import Wing
from cupola.parts.external.c_model import CModel
from cupola.parts.external.fmu import Fmu
from cupola.parts.external.peer import Peer
from cupola.parts.functions.table_control import TableControl
from cupola.parts.joints.air_bearing import AirBearing
from cupola.parts.joints.gripper import Gripper
from cupola.parts.joints.joint_motor import JointMotor
from cupola.parts.joints.mecanum import Mecanum
from cupola.parts.joints.reaction_wheel import ReactionWheel
from cupola.parts.joints.servo import Servo
from cupola.parts.part import Part
from cupola.parts.propulsion.battery import Battery
from cupola.parts.propulsion.battery_monitor import BatteryMonitor
from cupola.parts.propulsion.engine import Engine
from cupola.parts.propulsion.flapping import FlappingMechanism
from cupola.parts.propulsion.gas_tank import GasTank
from cupola.parts.propulsion.helicopter_rotor import HelicopterRotor
from cupola.parts.propulsion.mixer import Mixer
from cupola.parts.propulsion.rotor import Rotor
from cupola.parts.propulsion.table_engine import TableEngine
from cupola.parts.propulsion.thruster_pair import ThrusterPair
from cupola.parts.sensors.airspeed import Airspeed
from cupola.parts.sensors.barometer import Barometer
from cupola.parts.sensors.camera import Camera
from cupola.parts.sensors.encoder import Encoder
from cupola.parts.sensors.force_torque import ForceTorque
from cupola.parts.sensors.gnss import Gnss
from cupola.parts.sensors.imu import Imu
from cupola.parts.sensors.laser import Laser
from cupola.parts.sensors.magnetometer import Magnetometer
from cupola.parts.sensors.monitor import Monitor
from cupola.parts.sensors.motion_capture import MotionCapture
from cupola.parts.sensors.rangefinder import Rangefinder
from cupola.parts.sensors.relative import Relative
from cupola.parts.sensors.truth import Truth

KINDS: dict[str, type[Part]] = {
    "airfoil": Airfoil,
    "liftdrag": LiftDragSurface,
    "rotor": Rotor,
    "engine": Engine,
    "helicopter_rotor": HelicopterRotor,
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
    "table_aero": TableAero,
    "table_engine": TableEngine,
    "table_control": TableControl,
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
    "relative": Relative,
}
