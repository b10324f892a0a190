"""`<inertial auto="true">` of SDF 1.11: mass, centre and inertia of a link from its collision shapes, filled evenly."""

import mujoco
import numpy as np

from cupola.bridge.report import Report
from cupola.bridge.sdf.pose import NOWHERE, Array, Pose, attributes, matrix, text
from cupola.bridge.sdf.robot import Shape
from cupola.physics.rotation import Quaternion, Vector

DENSITY = 1000.0
"""[kg/m³] of a shape that has none, as of the format."""
PLAIN = ("box", "cylinder", "capsule", "sphere", "ellipsoid")


def filled(shapes: list[tuple[Shape, float]], where: str, report: Report) -> tuple[float, Pose, Array] | None:
    """[kg], the centre in the link, [kg m²] about it in the link's axes, by MuJoCo; None where no shape has a volume.

    Shapes come with their density [kg/m³].
    """
    rows = []
    for shape, density in shapes:
        if shape.kind not in PLAIN:
            report.lose(f"{shape.where}", f"a {shape.kind} does not count in the automatic inertia of its link")
            continue
        size = f'type="{shape.kind}" size="{text(shape.size)}" density="{density!r}"'
        place = " ".join(f'{key}="{value}"' for key, value in attributes(shape.pose).items())
        rows.append(f"<geom {size} {place}/>")
    if not rows:
        return None
    body = f"<body><freejoint/>{''.join(rows)}</body>"
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    turn = matrix(Quaternion(*model.body_iquat[1].tolist()))
    report.assume(f"{where}: automatic inertia", f"{model.body_mass[1]:.6g} kg by {len(rows)} collision shapes")
    tensor = turn @ np.diag(model.body_inertia[1]) @ turn.T
    return float(model.body_mass[1]), Pose(Vector(*model.body_ipos[1].tolist()), NOWHERE.quat), tensor
