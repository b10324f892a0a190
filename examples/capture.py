"""A space robot catches a satellite that drifts and spins: approach, contact, soft grip, hard grip, rest."""

from itertools import groupby
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import cupola
from cupola.record.world_recorder import WorldRecorder
from cupola.reproduce.cepheus.run import fly

world = cupola.load("cepheus_capture")
tap = WorldRecorder(world, "out/capture.mcap")
world.observers.append(tap)
run = fly(world, until=20.0, after=4.0)
tap.close()

for state, times in groupby(zip(run.state, run.time, strict=True), key=lambda pair: pair[0]):
    print(f"{next(times)[1]:6.2f} s  {state}")
held = run.during(run.when("end"), np.inf)
turned = float(np.degrees(np.abs(run.base[:, 0]).max()))
slip = float(np.ptp(held.hand - held.target, axis=0)[:2].max())
print(f"the base turned by {turned:.2f}° at most; once held, hand and target moved by {1e6 * slip:.0f} µm")

figure = Figure(figsize=(11, 8), layout="constrained")
axes = figure.subplots(3, 2, sharex=True)
names = ("x [m]", "y [m]", "heading [°]")
for k, (ax, name) in enumerate(zip(axes[:, 0], names, strict=True)):
    unit = np.degrees(1.0) if k == 2 else 1.0
    ax.plot(run.time, unit * run.target[:, k], color="tab:orange", label="target")
    ax.plot(run.time, unit * run.wanted[:, k + 1], "--", color="0.1", lw=1, label="desired")
    ax.plot(run.time, unit * run.hand[:, k], color="tab:blue", label="hand")
    ax.set_ylabel(name)
axes[0, 1].plot(run.time, np.degrees(run.base[:, 0]))
axes[0, 1].set_ylabel("heading of the base [°]")
axes[1, 1].plot(run.time, run.torques, lw=0.9, label=("wheel", "shoulder", "elbow", "wrist"))
axes[1, 1].set_ylabel("torques [N m]")
axes[2, 1].plot(run.time, run.push)
axes[2, 1].set_ylabel("contact force [N]")
for ax in axes.flat:
    for state in ("contact", "soft grip", "hard grip", "settle"):
        ax.axvline(run.when(state), color="0.8", lw=1, zorder=0)
axes[0, 0].legend(fontsize=8)
axes[1, 1].legend(fontsize=8, ncols=2)
for ax in axes[2]:
    ax.set_xlabel("time [s]; lines: contact, soft grip, hard grip, held")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/capture.png", dpi=90)
