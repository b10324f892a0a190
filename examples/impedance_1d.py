"""One impedance law on one axis: a chaser glides to a target, touches it, pushes gently and follows it."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from cupola.physics import impedance as law
from cupola.physics.quintic import quintic

CHASER, TARGET = 12.0, 10.0  # [kg]
SPRING, LENGTH = 2000.0, 0.05  # [N/m], [m]: what stands for contact, in front of the chaser
WAY, DURATION, WANTED, DT = 0.5, 10.0, 0.05, 0.001  # [m], [s], [N], [s]
BEYOND = 0.0005  # [m] past the touch that the way ends


def simulate(end: float = 20.0) -> np.ndarray:
    """Rows: time, places of chaser and target, push, wanted push, actuation."""
    free = law.settling_gains(1.0, 0.2 * DURATION)
    contact = law.contact_gains(free, 100.0, SPRING, 0.0)
    x, v, target, target_v, held, rows = 0.0, 0.0, WAY + LENGTH, 0.0, 0.0, []
    for k in range(round(end / DT)):
        time = k * DT
        push = SPRING * max(x + LENGTH - target, 0.0)
        held = law.held_push(held, push, DT, 0.5)
        w = law.blend(held, 1e-4, 1e7)
        s, far = quintic(time, DURATION), WAY + BEYOND
        place, rate = law.mix(w, s.share * far, target - LENGTH), law.mix(w, s.rate * far, target_v)
        ahead = law.mix(w, s.acceleration * far, push / TARGET)
        gains = law.mix_gains(w, free, contact)
        a = ahead + law.impedance_acceleration(x - place, v - rate, push, w.contact * WANTED, gains)
        force = law.chaser_force(CHASER, push, a)
        rows.append((time, x, target, push, w.contact * WANTED, force))
        v, target_v = v + (force - push) / CHASER * DT, target_v + push / TARGET * DT
        x, target = x + v * DT, target + target_v * DT
    return np.array(rows)


if __name__ == "__main__":
    time, chaser, target, push, wanted, force = simulate().T
    touch, late = time[np.argmax(push > 0.0)], time > 15.0
    print(f"touches at {touch:.2f} s; then it pushes with {push[late].mean():.4f} N where {WANTED} N are wanted")
    figure = Figure(figsize=(7, 5))
    above, below = figure.subplots(2, 1, sharex=True)
    above.plot(time, chaser + LENGTH, label="tip of the chaser [m]")
    above.plot(time, target, "--", label="target [m]")
    below.plot(time, push, label="push on the target [N]")
    below.plot(time, wanted, "--", label="wanted [N]")
    below.set_xlabel("time [s]")
    above.legend()
    below.legend()
    Path("out").mkdir(exist_ok=True)
    figure.savefig("out/impedance_1d.png")
