"""Mass, centre and moments of inertia of every body, tunable while a world runs (such as a payload)."""

from collections.abc import Callable

from cupola.build.compile import Assembly
from cupola.schema.tunable_fields import AXES, Parameter, TunableParameter
from cupola.schema.yaml_files import InputError
from cupola.sim.body_inertia import BodyInertias, Inertia

HEAVIER = 10.0
"""Largest factor by which mass and moments may be changed."""


class BodyTuning:
    """`vehicle.body.mass`, `vehicle.body.com_x`, `vehicle.body.inertia_x`; products of inertia stay."""

    def __init__(self, assembly: Assembly, masses: BodyInertias) -> None:
        self._assembly, self._masses = assembly, masses

    def tunables(self) -> dict[str, TunableParameter]:
        """For all bodies with a mass except those that a part adds to a wheel (rollers)."""
        model = self._assembly.model
        found: dict[str, TunableParameter] = {}
        for body in range(1, model.nbody):
            vehicle, _, name = model.body(body).name.partition("/")
            if name and model.body_mass[body] > 0.0 and not self._on_a_wheel(vehicle, body):
                found |= {f"{vehicle}.{name}.{what}": one for what, one in self._of(body).items()}
        return found

    def _on_a_wheel(self, vehicle: str, body: int) -> bool:
        model = self._assembly.model
        below = str(model.body(int(model.body_parentid[body])).name)
        wheels = {f"{vehicle}/{w}" for b in self._assembly.parts if b.vehicle == vehicle for w in b.part.wheel_bodies()}
        return below in wheels

    def _of(self, body: int) -> dict[str, TunableParameter]:
        now = self._masses.now(body)
        far = 2.0 * (max(now.about_com[:3]) / now.mass) ** 0.5  # a body reaches about twice its radius of gyration
        declared = {"mass": Parameter(now.mass, now.mass / HEAVIER, HEAVIER * now.mass, "kg", "moments stay")}
        for k, axis in enumerate(AXES):
            at, moment = now.com_b[k], now.about_com[k]
            declared[f"com_{axis}"] = Parameter(at, at - far, at + far, "m", "centre of mass, axes of the body")
            about = "moment of inertia about its centre"
            declared[f"inertia_{axis}"] = Parameter(moment, moment / HEAVIER, HEAVIER * moment, "kg m²", about)
        return {
            name: TunableParameter(p, self._read(body, name), self._write(body, name)) for name, p in declared.items()
        }

    def _read(self, body: int, name: str) -> Callable[[], float]:
        return lambda: number_of(self._masses.now(body), name)

    def _write(self, body: int, name: str) -> Callable[[float], None]:
        def write(value: float) -> None:
            try:
                self._masses.put(body, *with_number(self._masses.now(body), name, value))
            except InputError as error:
                raise ValueError(str(error)) from None

        return write


def number_of(inertia: Inertia, name: str) -> float:
    """`mass`, `com_x` or `inertia_x` of a body."""
    what, _, axis = name.partition("_")
    if what == "mass":
        return inertia.mass
    return (inertia.com_b if what == "com" else inertia.about_com)[AXES.index(axis)]


def with_number(inertia: Inertia, name: str, value: float) -> Inertia:
    """The same with another one."""
    what, _, axis = name.partition("_")
    if what == "mass":
        return inertia._replace(mass=value)
    held = list(inertia.com_b if what == "com" else inertia.about_com)
    held[AXES.index(axis)] = value
    return inertia._replace(com_b=tuple(held)) if what == "com" else inertia._replace(about_com=tuple(held))
