"""A part of your own: air drag of a frame, hung on the shipped quadcopter. In wind it must lean to stay."""

import math
from pathlib import Path

import yaml

import cupola
from cupola import Load, Vector, Wrench
from cupola.config.air import Air, Wind
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import MODELS
from cupola.physics.rotation import euler_from_quaternion

WIND = 6.0


class AirframeDrag(Load):
    """Drag of a bluff body: ½ ρ C A |v| v against the motion through the air; `drag_area` is C A [m²]."""

    drag_area: float

    def step(self, motion, density, drive):
        v = motion.vel_air_s
        k = -0.5 * density * self.drag_area * math.sqrt(v.x**2 + v.y**2 + v.z**2)
        return Wrench(Vector(k * v.x, k * v.y, k * v.z), Vector(0.0, 0.0, 0.0))


def hover(model: str) -> float:
    """Lean of a vehicle that holds its place in the wind [deg]; the preset of the thesis has no drag of its own."""
    air = Air(wind=Wind(speed=WIND, from_deg=270.0))
    entry = VehicleEntry(model=model, name="it", preset="thesis")
    world = cupola.World(Scenario(air=air, vehicles=(entry,)), trust=True)  # the part below is code of ours
    world.run(12.0)
    return math.degrees(euler_from_quaternion(world.motion().quat_wb).pitch)


if __name__ == "__main__":
    shipped = MODELS / "quadcopter"
    vehicle = yaml.safe_load((shipped / "vehicle.yaml").read_text(encoding="utf-8"))
    vehicle["mjcf"] = str(shipped / "model.xml")
    vehicle["parts"]["drag"] = {"kind": f"{Path(__file__)}:AirframeDrag", "site": "base", "drag_area": 0.02}
    folder = Path("out/with_drag")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vehicle.yaml").write_text(yaml.safe_dump(vehicle), encoding="utf-8")

    bare, dragged = hover("quadcopter"), hover(str(folder))
    print(f"in {WIND:g} m/s of wind it leans {bare:.2f}° without and {dragged:.2f}° with drag (nose down +)")
