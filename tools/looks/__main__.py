"""`python -m tools.looks`: write every look."""

from pathlib import Path

from tools.looks import cessna, multirotors, others, planes, space
from tools.looks.write import write

MODELS = Path(__file__).parents[2] / "src" / "cupola" / "models"
FLYER = ("white", "blue", "orange", "carbon", "metal", "glass")
PLANE = ("white", "blue", "red", "green", "carbon", "metal", "glass")
LOOKS = {
    "quadcopter": (multirotors.quadcopter, FLYER, 4),
    "hexacopter": (multirotors.hexacopter, FLYER, 4),
    "crazyflie": (multirotors.crazyflie, FLYER, 5),
    "plane_1wing": (planes.plane, PLANE, 4),
    "plane_1wing_sensors": (planes.plane, PLANE, 4),
    "plane_3wing_2motor": (planes.twin, PLANE, 4),
    "aerosonde": (planes.aerosonde, FLYER, 4),
    "vtol": (planes.vtol, FLYER, 4),
    "morphing_uav": (planes.morphing_uav, FLYER, 4),
    "cessna": (cessna.cessna, FLYER, 3),
    "velma_base": (others.velma_base, ("white", "red", "carbon", "rubber", "metal", "glass", "yellow"), 4),
    "robird": (others.robird, ("feather", "quill", "down", "yellow", "carbon"), 4),
    "gull": (others.gull, ("white", "quill", "yellow", "carbon"), 4),
    "flapper": (others.flapper, ("white", "carbon", "metal"), 4),
    "cepheus": (space.cepheus, (), 4),
    "cepheus_sim": (space.cepheus_sim, (), 4),
    "cepheus_target": (space.cepheus_target, (), 4),
    "cepheus_cube": (space.cepheus_cube, (), 4),
    "servicer": (space.servicer, (), 3),
    "client": (space.client, (), 3),
}
"""Who draws it, with which paints beside the model's own, in how many digits of a metre."""


def main() -> None:
    """Write them into the models."""
    for name, (draw, paints, digits) in LOOKS.items():
        solids = draw()
        write(MODELS / name / "model.xml", solids, paints, digits)
        triangles = sum(len(one.faces) for one in solids.values())
        print(f"{name}: {triangles} triangles, {(MODELS / name / 'model.xml').stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
