"""A reaction wheel: a motor whose command is the torque on what carries it."""

from typing import Literal

from cupola.parts.joints.joint_motor import JointMotor


class ReactionWheel(JointMotor):
    """A flywheel on a hinge: the command is the torque on the base [N m], the wheel takes the opposite."""

    kind: Literal["reaction_wheel"]  # type: ignore[assignment]
    acts_back = True
