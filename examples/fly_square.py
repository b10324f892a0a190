"""Fly the default scenario, record it, and say how well each corner was met."""

from itertools import pairwise

import numpy as np

import cupola
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder

world = cupola.load("square")
tap = WorldRecorder(world, "out/fly_square.mcap")
world.observers.append(tap)
world.run()
tap.close()

path = Recording("out/fly_square.mcap").table("/quadcopter/odometry")
positions = np.column_stack([path[f"pose.pose.position.{axis}"] for axis in "xyz"])
assert world.scenario.vehicles[0].controller
corners = np.array([waypoint.position for waypoint in world.scenario.vehicles[0].controller.plan])
nearest = [float(np.linalg.norm(positions - corner, axis=1).min()) for corner in corners]
for corner, miss in zip(corners, nearest, strict=True):
    print(f"({corner[0]:g}, {corner[1]:g}, {corner[2]:g})  met within {100 * miss:.1f} cm")

length = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(positions))
print(f"{length:.1f} m flown, landed at x {positions[-1, 0]:.2f} m, y {positions[-1, 1]:.2f} m")
