"""A sweep is a Python loop: how far the plane glides from 100 m with its motor off, against ever more wind."""

from pathlib import Path

from matplotlib.figure import Figure

import cupola
from cupola.config.air import Air, Wind
from cupola.config.scenario import Scenario, VehicleEntry

AIRSPEED = 17.8
"""[m/s], where it settles with the elevator fully up."""


def glide(headwind: float) -> tuple[float, float]:
    """Distance over ground [m] and time [s] until the wheels touch."""
    plane = VehicleEntry(model="plane_1wing", position=(0.0, 0.0, 100.0), velocity_b=(AIRSPEED - headwind, 0.0, 0.0))
    air = Air(wind=Wind(speed=headwind, from_deg=90.0))
    world = cupola.World(Scenario(air=air, vehicles=(plane,)))
    world.sticks([0.0, 1.0, 0.0, -1.0])  # elevator fully up, throttle closed
    while world.motion().pos_w.z > 0.25:
        world.run(0.01)
    return world.motion().pos_w.x, world.time


winds = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
glides = [glide(wind) for wind in winds]
for wind, (distance, time) in zip(winds, glides, strict=True):
    print(f"headwind {wind:4.1f} m/s   {distance:6.1f} m in {time:5.2f} s")

figure = Figure(figsize=(6, 4))
axes = figure.add_subplot(xlabel="headwind [m/s]", ylabel="distance from 100 m [m]", ylim=(0, None))
axes.plot(winds, [distance for distance, _ in glides], "o-")
axes.grid(alpha=0.3)
Path("out").mkdir(exist_ok=True)
figure.savefig("out/sweep.png")
