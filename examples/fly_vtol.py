"""A quadplane takes off like a helicopter, flies like a plane, lands like a helicopter; say how well, and draw it."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import cupola

world = cupola.load("vtol_mission")
rows, words = [], [world.mission()]
while words[-1] != "landed" and world.time < world.scenario.duration:
    world.run(0.1)
    seen = world.motion()
    rows.append([world.time, *seen.pos_w, seen.vel_air_b.x, *world.command()[[0, 7]]])
    words.append(world.mission())
    if words[-1] != words[-2]:
        print(f"{world.time:6.1f} s  {words[-1]}")
time, x, y, z, airspeed, lift, push = np.array(rows).T

phase = np.array(words[1:])
on_wing = phase == "waypoint 3 of 5"
transition = z[phase == "transition to wing flight"]
braking = z[phase == "slowing down to hover"]
lift_on_wing = float(lift[on_wing].max())
error = float(np.hypot(x[-1], y[-1]))
print(f"on the wing at {airspeed[on_wing].mean():.1f} m/s the lift rotors give {lift_on_wing:.1f} m/s²")
print(
    f"lowest in the transition {transition.min() - transition[0]:+.1f} m, in the braking {braking.min() - 30.0:+.1f} m"
)
print(f"landed {error:.2f} m from the point")

figure, axes = plt.subplots(3, sharex=True, figsize=(8, 5), layout="constrained")
axes[0].plot(time, z)
axes[0].set(ylabel="height [m]")
axes[1].plot(time, airspeed)
axes[1].set(ylabel="airspeed [m/s]")
axes[2].plot(time, lift / 9.81, label="lift rotors, by weight")
axes[2].plot(time, push, label="throttle of the pusher")
axes[2].set(xlabel="time [s]")
axes[2].legend()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/fly_vtol.png")
