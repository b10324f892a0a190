"""A free body that tumbles about three unequal axes, against the closed form.

Landau and Lifshitz, Mechanics, §37 (Jacobi's solution): in body axes the rate is made of sn, cn and dn; the attitude
follows from it and one integral. The start is chosen where sn = 0, the inertias are 1 < 2 < 3 kg m².
"""

import json
import math
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.config.scenario import Scenario
from cupola.kernel.observation import Observation
from cupola.physics.rotation import Quaternion
from cupola.sim.world import World

INERTIA = np.array([1.0, 2.0, 3.0])
"""About body x, y, z [kg m²]."""
RATE = np.array([1.2, 0.0, 1.5])
"""At the start, body axes [rad/s]; chosen so that the axis of L never passes the intermediate one."""
MODEL = """<mujoco><worldbody><body name="base"><freejoint/>
  <inertial pos="0 0 0" mass="1" diaginertia="{} {} {}"/><site name="base"/>
</body></worldbody></mujoco>"""
VEHICLE = """about: A free body with three unequal moments of inertia
controller: {use: pass_through, rate_hz: 10}
"""
Array = np.ndarray[Any, np.dtype[np.float64]]


class Jacobi(NamedTuple):
    """Elliptic functions."""

    sn: Array
    cn: Array
    dn: Array


class TumbleError(NamedTuple):
    """Largest deviations from the closed form."""

    attitude_deg: float
    momentum: float
    """Relative."""


def jacobi(u: Array, m: float) -> Jacobi:
    """sn, cn, dn of `u` with parameter `m` = k² below 1: Abramowitz and Stegun, 16.4 (arithmetic-geometric mean)."""
    a, b, c = [1.0], math.sqrt(1.0 - m), [math.sqrt(m)]
    while c[-1] > 1e-9:  # c falls quadratically: the next one, about c² / 4, no longer counts
        a, b, c = [*a, 0.5 * (a[-1] + b)], math.sqrt(a[-1] * b), [*c, 0.5 * (a[-1] - b)]
    phase = 2.0 ** (len(a) - 1) * a[-1] * u
    for n in range(len(a) - 1, 0, -1):
        phase = 0.5 * (phase + np.arcsin(c[n] / a[n] * np.sin(phase)))
    sn = np.sin(phase)
    return Jacobi(sn, np.cos(phase), np.sqrt(1.0 - m * sn * sn))


class Tumble:
    """The closed form. World z lies along the angular momentum; attitude by the angles z-x-z."""

    def __init__(self) -> None:
        i1, i2, i3 = INERTIA
        self.momentum: float = float(np.linalg.norm(INERTIA * RATE))
        square, self._energy2 = self.momentum**2, float(np.sum(INERTIA * RATE**2))
        above, below = self._energy2 * i3 - square, square - self._energy2 * i1
        if not 0.0 < (i2 - i1) * above < (i3 - i2) * below:
            raise ValueError(f"the rate {RATE} does not turn about the axis of the largest inertia")
        self._size = np.sqrt([above / (i1 * (i3 - i1)), above / (i2 * (i3 - i2)), below / (i3 * (i3 - i1))])
        self._speed = math.sqrt((i3 - i2) * below / (i1 * i2 * i3))
        self._m = (i2 - i1) * above / ((i3 - i2) * below)

    def rate_b(self, times: Array) -> Array:
        """Body axes [rad/s], last axis x, y, z."""
        e = jacobi(self._speed * times, self._m)
        return self._size * np.stack([e.cn, e.sn, e.dn], axis=-1)

    def attitude(self, time: float) -> Array:
        """R_wb, relative to the start."""
        return self._from_angles(0.0, 0.0).T @ self._from_angles(time, self._precession(time))

    def _from_angles(self, time: float, precession: float) -> Array:
        x, y, z = (INERTIA * self.rate_b(np.array(time)) / self.momentum).tolist()
        return _turn(2, precession) @ _turn(0, math.acos(z)) @ _turn(2, math.atan2(x, y))

    def _precession(self, time: float) -> float:
        """Integral of L (2E - I3 w3²) / (L² - I3² w3²) by Gauss and Legendre: 8 points on each tenth of a second."""
        pieces = max(1, math.ceil(10.0 * time))
        nodes, weights = np.polynomial.legendre.leggauss(8)
        half = 0.5 * time / pieces
        third = INERTIA[2] * self.rate_b(half * (2.0 * np.arange(pieces)[:, None] + 1.0 + nodes))[..., 2]
        speed = self.momentum * (self._energy2 - third**2 / INERTIA[2]) / (self.momentum**2 - third**2)
        return float(np.sum(speed * weights) * half)


def _turn(axis: int, angle: float) -> Array:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = math.cos(angle)
    R[i, j], R[j, i] = -math.sin(angle), math.sin(angle)
    return R


def tumble_world(dt: float, integrator: str = "RK4") -> World:
    """The body alone in space."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "model.xml").write_text(MODEL.format(*INERTIA))
        (Path(folder) / "vehicle.yaml").write_text(VEHICLE)
        content = {
            "physics_hz": round(1.0 / dt),
            "integrator": integrator,
            "gravity": 0.0,
            "air": {"space": True},
            "record": {"rate_hz": 1},
            "floor": None,
            "vehicles": [{"model": folder, "name": "body", "rate_b": RATE.tolist()}],
        }
        return World(Scenario.model_validate_json(json.dumps(content)))


def tumble_error(duration: float = 30.0, dt: float = 1e-3) -> TumbleError:
    """Simulate and compare every second: attitude [deg], and angular momentum relative to its size."""
    exact, world = Tumble(), tumble_world(dt)
    start = world.motion()
    momentum = _momentum_w(start)
    worst, drift = 0.0, 0.0
    while world.time < duration - 0.5 * dt:
        world.step(round(1.0 / dt))
        obs = world.motion()
        off = _matrix(obs.quat_wb).T @ exact.attitude(world.time)
        # The sine from the skew part: the cosine of a small angle has lost it.
        skew = [off[2, 1] - off[1, 2], off[0, 2] - off[2, 0], off[1, 0] - off[0, 1]]
        worst = max(worst, math.degrees(math.atan2(0.5 * float(np.linalg.norm(skew)), 0.5 * (np.trace(off) - 1.0))))
        drift = max(drift, float(np.linalg.norm(_momentum_w(obs) - momentum)) / exact.momentum)
    return TumbleError(worst, drift)


def _matrix(quat: Quaternion) -> Array:
    w, x, y, z = quat
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _momentum_w(obs: Observation) -> Array:
    momentum: Array = _matrix(obs.quat_wb) @ (INERTIA * np.array(obs.rate_b))
    return momentum
