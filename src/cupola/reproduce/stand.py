"""A test stand: a motor of plane_3wing_2motor on a body that cannot move, in a wind tunnel."""

from typing import NamedTuple

from cupola.config.vehicle import MODELS, read_vehicle
from cupola.reproduce.scene import world_of
from cupola.sim.part_handle import PartHandle
from cupola.sim.world import World

MJCF = """<mujoco><worldbody>
  <body name="base"><geom size="0.1" mass="1"/><site name="motor"/></body>
</worldbody></mujoco>"""
RATE_HZ = 400
"""Of the thesis's simulation: steps of 2.5 ms."""
STEADY = 60.0
"""[s] after which nothing changes any more."""


class Stand(NamedTuple):
    """A world and its motor."""

    world: World
    motor: PartHandle

    def read(self, name: str) -> float:
        """An output of the motor, by its name."""
        return float(getattr(self.motor.outputs, name))


def stand(throttle: float, speed: float, rule: str) -> Stand:
    """The motor at rest, ready to spin up by the `physical` or the `literal` rule in air of `speed` [m/s]."""
    sticks = [{"time": 0.0, "channels": [0.0, 0.0, 0.0, 2.0 * throttle - 1.0]}]
    motor = read_vehicle(MODELS / "plane_3wing_2motor" / "vehicle.yaml").parts["motor1"].model_dump(mode="json")
    vehicle = {
        "parts": {"motor": {**motor, "site": "motor", "spin_up": rule}},
        "controller": {"use": "pass_through", "rate_hz": RATE_HZ, "sticks": sticks},
    }
    # The motor looks along world x, which is east, so the wind comes from there.
    air = {"wind": {"speed": speed, "from_deg": 90.0}}
    world = world_of(MJCF, vehicle, {"physics_hz": RATE_HZ, "air": air})
    return Stand(world, world.part("motor"))


def steps_to(share: float, rule: str) -> int:
    """Steps at full throttle in still air until the shaft turns at `share` of its final speed."""
    motor = stand(1.0, 0.0, rule)
    motor.world.run(STEADY)
    final = motor.read("omega")
    motor.world.reset()
    while motor.motor.state.omega < share * final:
        motor.world.step()
    return motor.world.tick
