"""Fly a Crazyflie round the corners of a figure eight with the controller that any multirotor can use."""

import math

import numpy as np

import cupola
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry, PlanEntry
from cupola.physics.rotation import Vector, euler_from_quaternion, unrotate

turn = np.linspace(0.0, 2.0 * math.pi, 9)
corners = [(1.3 * math.sin(a), 0.65 * math.sin(2.0 * a), 1.0) for a in turn]
plan = (PlanEntry(position=(0.0, 0.0, 1.0), hold=2.0), *(PlanEntry(position=c, speed=1.0) for c in corners))
entry = VehicleEntry(
    model="crazyflie",
    position=(0.0, 0.0, 1.0),
    controller=ControllerEntry(use="multirotor_geometric", rate_hz=500, plan=plan),
)
world = cupola.World(Scenario(vehicles=(entry,)))

speeds, leans, nearest = [], [], np.full(len(corners), np.inf)
for _ in range(1500):
    world.run(0.02)
    seen = world.motion()
    nearest = np.minimum(nearest, np.linalg.norm(np.array(corners) - np.array(seen.pos_w), axis=1))
    along = unrotate(seen.quat_wb, Vector(*seen.vel_w))
    speeds.append(math.hypot(along.x, along.y))
    leans.append(math.degrees(euler_from_quaternion(seen.quat_wb).pitch))

end = world.motion().pos_w
print(f"{len(corners)} points met within {100 * nearest.max():.0f} cm, top speed {max(speeds):.2f} m/s")
print(f"pitch between {min(leans):.0f} and {max(leans):.0f} deg, ends at x {end.x:.2f} m, y {end.y:.2f} m")
