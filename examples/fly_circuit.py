"""A plane takes off, flies a rectangle in gusty wind and lands by itself; print how well, and draw the path."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import cupola

world = cupola.load("plane_circuit")
rows = []
while world.time < world.scenario.duration:
    world.run(0.1)
    seen = world.motion()
    rows.append([world.time, *seen.pos_w, np.linalg.norm(seen.vel_air_b)])
time, x, y, z, airspeed = np.array(rows).T

lift_off = float(time[z > 0.5][0])
cruising = (time > 20.0) & (time < time[z > 38.0][-1])
touch = int(np.flatnonzero(z > 0.35)[-1])
height_error = float(np.abs(z[cruising] - 40.0).max())
speed_error = float(np.abs(airspeed[cruising] - 24.0).max())
print(f"off the ground after {lift_off:.1f} s")
print(f"at 40 m: height within {height_error:.1f} m, airspeed within {speed_error:.1f} m/s")
print(f"down at {time[touch]:.1f} s, {x[touch]:.0f} m from the point, {abs(y[touch]):.1f} m beside the runway's axis")

figure, axes = plt.subplots(figsize=(8, 5))
axes.plot(x, y, label="flown")
assert world.scenario.vehicles[0].controller
corners = np.array([p.position for p in world.scenario.vehicles[0].controller.plan])
axes.plot(corners[:, 0], corners[:, 1], "o", label="waypoints")
axes.set(xlabel="x, east [m]", ylabel="y, north [m]", aspect="equal")
axes.legend()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/fly_circuit.png")
