"""Which stroke and twist carry a robotic gull with the least power? An optimiser asks the simulation, beat by beat.

The gull is held in a wind of 5.5 m/s; Nelder and Mead's method looks for the beat whose thrust is as large as its drag.
"""

from pathlib import Path

from matplotlib.figure import Figure

from cupola.reproduce.morphing.gull import WIND, Tunnel

tunnel = Tunnel()
print(f"drag {tunnel.drag:.2f} N at {WIND:g} m/s: {tunnel.drag * WIND:.1f} W")
frequencies = [2.0, 3.0]
best = {frequency: tunnel.best(frequency) for frequency in frequencies}
for frequency, (stroke, twist, beat) in best.items():
    print(
        f"{frequency:.1f} Hz: stroke ± {stroke:.2f} rad, tips {twist:.2f} rad nose down in mid-downstroke: "
        f"{beat.power:.1f} W, {beat.thrust:.2f} N, efficiency {beat.efficiency:.2f}"
    )

figure = Figure(figsize=(6, 4))
axes = figure.add_subplot(xlabel="twist of the tips [rad]", ylabel="thrust by power [N/W]")
stroke = best[3.0][0]
twists = [0.2, 0.3, 0.4, 0.5]
curve = [tunnel.beat(3.0, stroke, twist) for twist in twists]
axes.plot(twists, [beat.thrust / beat.power for beat in curve], "o-", label=f"3 Hz, stroke ± {stroke:.2f} rad")
axes.axhline(0.8 / WIND, color="0.5", linestyle="--", label="80 %, published for SmartBird")
axes.legend()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/best_beat.png")
