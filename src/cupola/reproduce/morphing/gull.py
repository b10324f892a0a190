"""The vehicle `gull` beside what is published of Festo's SmartBird: power, efficiency, level flight.

Held in a wind, a beat is measured as in a tunnel; in free flight the trunk recoils under the wings, which costs more.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from cupola.config.scenario import Scenario, VehicleEntry
from cupola.reproduce.row import Row, within
from cupola.sim.world import World

SOURCE = "Festo 2011, SmartBird"
MOTOR, ELECTROMECHANICAL, EFFICIENCY = 23.0, 0.45, 0.80
"""[W], share of it that reaches the wings, share of that which becomes thrust at best."""
FREQUENCY = 3.0
"""[Hz] of its beat."""
WIND, NOSE_UP = 5.5, 4.0
"""[m/s], [deg] of the bird that is held."""
SAMPLES, SETTLING = 50, 2
"""Of a beat, and beats before it is measured."""
LACKING = 50.0
"""[W/N] by which a beat is punished for thrust that it lacks."""


class Beat(NamedTuple):
    """Means over one beat."""

    thrust: float
    """More than without a beat [N]."""
    lift: float
    """[N]."""
    power: float
    """Of the hinges and of what twists the wings [W]."""

    @property
    def efficiency(self) -> float:
        """Share of the power that becomes thrust."""
        return self.thrust * WIND / self.power


class Tunnel:
    """The bird held in a wind."""

    def __init__(self) -> None:
        bird = VehicleEntry(model="gull", freedom="fixed", velocity_b=(0, 0, 0), attitude_deg=(0.0, -NOSE_UP, 0.0))
        air = {"wind": {"speed": WIND, "from_deg": 90.0}}
        settings = {"floor": None, "physics_hz": 1000, "integrator": "implicitfast"}
        self.world = World(Scenario.model_validate({"vehicles": (bird,), "air": air, **settings}))
        self.drag = -self._means(0.0, 1.0)[0]

    def beat(self, frequency: float, amplitude: float, twist: float) -> Beat:
        """At full throttle: frequency [Hz], stroke to either side and twist of the tips [rad]."""
        for name, value in (("frequency", frequency), ("amplitude", amplitude), ("twist_swing", twist)):
            self.world.tune(f"gull.mechanism.{name}", value)
        along, lift, power = self._means(1.0, frequency)
        return Beat(along + self.drag, lift, power)

    def best(self, frequency: float) -> tuple[float, float, Beat]:
        """Stroke and twist [rad] that carry the bird's drag with the least power, and that beat."""

        def cost(shape: Any) -> float:
            beat = self.beat(frequency, *shape)
            return beat.power + LACKING * max(0.0, self.drag - beat.thrust)

        options = {"xatol": 5e-3, "fatol": 1e-2, "maxfev": 45}
        found = minimize(cost, (0.3, 0.4), method="Nelder-Mead", bounds=((0.1, 0.7), (0.0, 0.7)), options=options)
        stroke, twist = (float(value) for value in found.x)
        return stroke, twist, self.beat(frequency, stroke, twist)

    def _means(self, throttle: float, frequency: float) -> tuple[float, float, float]:
        """Force forward and upward [N] and power for the wings [W] over one beat."""
        world, wings = self.world, [self.world.part(f"{side}_wing") for side in ("left", "right")]
        world.reset()
        world.sticks([0.0, 0.0, 0.0, 2.0 * throttle - 1.0])
        every = round(1.0 / frequency / world.dt / SAMPLES)
        world.step(SETTLING * SAMPLES * every)
        force, power = np.zeros(3), 0.0
        for _ in range(SAMPLES):
            world.step(every)
            power += wing_power(world) / SAMPLES
            for wing in wings:
                turn = world.data.site_xmat[wing.row.site].reshape(3, 3)
                force += turn @ np.array(wing.outputs.force) / SAMPLES
        return float(force[0]), float(force[2]), power


def wing_power(world: World) -> float:
    """What hinges and twist of both wings take now [W]."""
    model, data, total = world.model, world.data, 0.0
    for name in ("left_wing", "right_wing"):
        rate = data.qvel[model.jnt_dofadr[model.joint(f"gull/{name}").id]]
        total += float(data.actuator_force[model.actuator(f"gull/{name}").id] * rate) + world.part(name).outputs.drive
    return total


def level_flight(settling: float = 20.0, measured: float = 8.0) -> tuple[float, float, float]:
    """Airspeed [m/s], change of height [m] and power for the wings [W] with released sticks."""
    bird = VehicleEntry(model="gull", position=(0, 0, 60), mode="assisted")
    world = World(Scenario(vehicles=(bird,), physics_hz=1000, integrator="implicitfast"))
    world.run(settling)
    kept, start = [], world.motion().pos_w.z
    while world.time < settling + measured - 1e-9:
        world.step(5)
        kept.append((world.signal("gull.airspeed"), wing_power(world)))
    speed, power = np.mean(kept, axis=0)
    return float(speed), world.motion().pos_w.z - start, float(power)


def rows(full: bool) -> Iterator[Row]:
    """Power and efficiency of the beat."""
    tunnel, most = Tunnel(), MOTOR * ELECTROMECHANICAL
    *_, best = tunnel.best(FREQUENCY)
    what = f"aerodynamic efficiency of the beat that carries the drag with least power, held in {WIND:g} m/s"
    yield within("morphing_gull_efficiency", SOURCE, what, EFFICIENCY, best.efficiency, 0.05)
    # The power of a full beat is no row: the stroke, which is not published, was chosen for it.
    speed, change, power = level_flight()
    what = f"power for the wings in level flight at {speed:.1f} m/s"
    passed = power < most and abs(change) < 1.0
    yield Row("morphing_gull_level", SOURCE, what, most, power, "W", f"≤ {most:g}, height within 1 m", passed)
