"""A wing on a hinge, flapped by whatever model a test gives it, and the shipped wing behind every door."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cupola.bridge.fmi.pack import WING, compile_library, pack

BODY = """
<body name="base">
  <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
  <body name="arm"><joint name="flap" axis="0 1 0"/>
    <inertial pos="0.2 0 0" mass="0.1" diaginertia="0.001 0.002 0.001"/><site name="root" pos="0.1 0 0"/>
  </body>
  <body name="cart" pos="0 1 0"><joint name="rail" type="slide" axis="1 0 0"/>
    <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
    <site name="nose" pos="0 0 0.5" euler="0 0 90"/>
  </body>
</body>"""
"""About its hinge the arm has an inertia of 0.002 + 0.1 x 0.2² = 0.006 kg m²."""
INPUTS = {"joint.flap.velocity": "rate", "site.root.vel_air_s.z": "air", "air.density": "density"}
OUTPUTS = {"joint.flap.torque": "torque", "site.root.force_s.z": "force"}
OUTPUTS |= {"show.stored": "stored", "show.supplied": "supplied", "show.lost": "lost"}
PYTHON = '''
from cupola import External

class Wing(External):
    """The equations of wing.c, operation by operation."""
    stiffness: float = 2.0
    damping: float = 0.002
    inertia: float = 0.0005
    arm: float = 0.25
    area: float = 0.05
    drag: float = 1.8
    _bend: float = 0.0
    _momentum: float = 0.0

    def reset(self):
        self._bend, self._momentum = 0.0, 0.0

    def step(self, x, time, dt):
        k, d, J, arm = self.stiffness, self.damping, self.inertia, self.arm
        c = 0.5 * x.density * self.area * self.drag
        before = w = self._momentum / J
        for _ in range(50):
            bend = self._bend + 0.5 * dt * (w - x.rate)
            v = arm * w + x.air
            step = (2 * J * (w - before) / dt + k * bend + d * (w - x.rate) + arm * c * v * abs(v)) / (
                2 * J / dt + 0.5 * k * dt + d + 2 * arm * arm * c * abs(v))
            w -= step
            if abs(step) <= 1e-15 * abs(w):
                break
        bend = self._bend + 0.5 * dt * (w - x.rate)
        v = arm * w + x.air
        torque, force = k * bend + d * (w - x.rate), -c * v * abs(v)
        self._bend += dt * (w - x.rate)
        self._momentum = J * (2 * w - before)
        stored = 0.5 * k * self._bend * self._bend + 0.5 * self._momentum * self._momentum / J
        lost = d * (w - x.rate) * (w - x.rate) + c * v * v * abs(v)
        supplied = -torque * x.rate - force * x.air
        return {"torque": torque, "force": force, "stored": stored, "supplied": supplied, "lost": lost}
'''
"""Air resists with 0.5 x 1.225 x 0.05 x 1.8 v |v| = 0.055 v |v|."""


@pytest.fixture(scope="session")
def built(tmp_path_factory: Any) -> dict[str, Path]:
    """The shipped wing, compiled: a library and two FMUs."""
    folder = tmp_path_factory.mktemp("wing")
    fmus = {f"fmi{version}": pack(WING, folder / f"wing{version}.fmu", version) for version in (2, 3)}
    return {"c": compile_library([WING], folder / "wing.so"), **fmus}


@pytest.fixture
def bodies() -> str:
    """The wing on its hinge, and a cart on a rail."""
    return BODY


@pytest.fixture
def flapper(vehicle: Callable[..., str], make_world: Callable[..., Any]) -> Callable[..., Any]:
    """A world of that wing and a model; `after` is what the model file says after its bodies."""

    def make(part: dict[str, Any], *, bodies: str = BODY, after: str = "", **more: Any) -> Any:
        entry = {key: more.pop(key) for key in ("files", "name") if key in more}
        if after:
            bodies += f"</worldbody>{after}<worldbody>"
        folder = vehicle(bodies, parts={"wing": part}, **entry)
        return make_world(folder, **{"gravity": 0.0, "physics_hz": 1000, **more})

    return make


@pytest.fixture
def doors(built: dict[str, Path], flapper: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """A world with the shipped wing behind one of the doors `python`, `c`, `fmi2`, `fmi3`."""

    def make(door: str, **more: Any) -> Any:
        options = {key: more.pop(key) for key in ("rate_hz", "parameters", "outputs") if key in more}
        part: dict[str, Any] = {"inputs": INPUTS, "outputs": OUTPUTS, **options, "kind": door}
        if door == "python":
            part |= {"kind": "wing.py:Wing", **part.pop("parameters", {})}
            return flapper(part, files={"wing.py": PYTHON}, **more)
        if door != "c":
            part["kind"] = "fmu"
        return flapper({**part, "file": str(built[door])}, **more)

    yield make
