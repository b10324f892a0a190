"""Robots of any size: lengths by the scale, masses by its cube, inertias by its fifth power."""

import re
from pathlib import Path

import yaml

from cupola.config.vehicle import MODELS
from cupola.control.space.mission_memory import FILTERS_AT, KEPT_AT, VIEW_AT, Kept
from cupola.control.space.view import View
from cupola.kernel.records import construct, size

WHEELS = {"wheel_fr": (1, -1), "wheel_fl": (1, 1), "wheel_rl": (-1, 1), "wheel_rr": (-1, -1)}


def base(
    folder: Path, scale: float = 1.0, radius: float | None = None, mass: float | None = None, **controller
) -> Path:
    """A Mecanum base like Velma's: 83.6 kg on wheels of 0.1016 m at scale 1."""
    r, m = radius or 0.1016 * scale, mass or 77.2 * scale**3
    share, flat = m / 77.2, m * scale**2
    wheel = 0.008 * share * (r / 0.1016) ** 2
    bodies = "".join(
        f'<body name="{name}" pos="{0.36 * scale * x} {0.38 * scale * y} 0"><joint name="{name}" axis="0 1 0"/>'
        f'<inertial pos="0 0 0" mass="{1.6 * share}" diaginertia="{0.6 * wheel} {wheel} {0.6 * wheel}"/></body>'
        for name, (x, y) in WHEELS.items()
    )
    folder.mkdir(parents=True)
    (folder / "model.xml").write_text(
        f'<mujoco><worldbody><body name="base" pos="0 0 {r}"><freejoint/>'
        f'<inertial pos="0 0 {0.02 * scale}" mass="{m}" diaginertia="{0.05 * flat} {0.05 * flat} {0.08 * flat}"/>'
        f"{bodies}</body></worldbody></mujoco>"
    )
    wheels = {"kind": "mecanum", "wheels": list(WHEELS), "radius": r, "model": "friction"}
    wheels |= {"roller": {"width": 0.0741 * r / 0.1016}, "torque_max": 100.0 * scale**5}
    vehicle = {"about": "a base", "parts": {"wheels": wheels}, "start": {"position": [0, 0, r]}}
    vehicle["controller"] = {"use": "mecanum_drive", "rate_hz": 100, **controller}
    (folder / "vehicle.yaml").write_text(yaml.safe_dump(vehicle, sort_keys=False))
    return folder / "vehicle.yaml"


def quadcopter(folder: Path, scale: float, **controller) -> Path:
    """The quadcopter of the thesis; its rotors keep their thrust to weight: area by the square, speed by the root."""
    folder.mkdir(parents=True)
    text = (MODELS / "quadcopter" / "model.xml").read_text()
    text = _scaled(text, scale, lengths=("size", "pos"), masses=("mass",))
    (folder / "model.xml").write_text(text)
    vehicle = yaml.safe_load((MODELS / "quadcopter" / "vehicle.yaml").read_text())
    for name, part in vehicle["parts"].items():
        if name.startswith("motor"):
            part["generic"]["s_prop"] *= scale**2
            part["generic"]["k_motor"] *= scale**0.5
            part["generic"]["k_t_p"] *= scale**4
    vehicle["parts"]["frame"]["body"]["area"] *= scale**2
    vehicle["controller"].update(controller)
    (folder / "vehicle.yaml").write_text(yaml.safe_dump(vehicle, sort_keys=False))
    return folder / "vehicle.yaml"


def mission_memory(world) -> tuple[Kept, View]:
    """What the mission of the space robot remembers, and what it saw last."""
    state = world.runner("chaser").state
    kept = construct(Kept, state[KEPT_AT : KEPT_AT + size(Kept)].tolist())
    return kept, construct(View, state[VIEW_AT:FILTERS_AT].tolist())


def cepheus(folder: Path, scale: float, model: str = "cepheus") -> Path:
    """The space robot, or its target."""
    folder.mkdir(parents=True)
    text = (MODELS / model / "model.xml").read_text()
    lengths, masses = ("size", "pos", "fromto"), ("mass",)
    (folder / "model.xml").write_text(_scaled(text, scale, lengths, masses, inertias=("diaginertia",)))
    vehicle = yaml.safe_load((MODELS / model / "vehicle.yaml").read_text())
    for part in vehicle["parts"].values():
        if part["kind"] == "gripper":  # at the same times: forces by the fourth power, stiffness by the cube
            part |= {"reach": 0.05 * scale, "lever": 0.03 * scale, "soft_force": scale**4, "hard_force": 50 * scale**4}
            part |= {"soft_stiffness": 100 * scale**3, "soft_damping": 20 * scale**3}
            part |= {"hard_stiffness": 1e5 * scale**3, "hard_damping": 300 * scale**3}
    (folder / "vehicle.yaml").write_text(yaml.safe_dump(vehicle, sort_keys=False))
    return folder / "vehicle.yaml"


def _scaled(text: str, scale: float, lengths=(), masses=(), inertias=()) -> str:
    """MJCF with every number of these attributes scaled; the size of a site is only drawn."""
    powers = {**dict.fromkeys(lengths, 1), **dict.fromkeys(masses, 3), **dict.fromkeys(inertias, 5)}
    for name, power in powers.items():

        def by(found, factor=scale**power):
            return f'{found[1]}="{" ".join(repr(factor * float(n)) for n in found[2].split())}"'

        text = re.sub(rf'\b({name})="([^"]*)"', by, text)
    return text
