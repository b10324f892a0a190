"""Our wings beside theory and experiment: `python -m cupola.reproduce.morphing.figure`."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from cupola.aerodynamics.exact import theodorsen, theodorsen_lags, wagner, wagner_lags
from cupola.aerodynamics.grid import tapered, whole
from cupola.aerodynamics.lattice import steady_lattice
from cupola.aerodynamics.lifting_line import lifting_line
from cupola.physics.section import NACA_0012, lift_and_drag, steady_polar
from cupola.record.draw import save_picture
from cupola.reproduce.morphing.lattice import plunged, started
from cupola.reproduce.morphing.yeo import FRACTIONS, Plate, lifts, measured
from cupola.reproduce.peer import last_line
from cupola.reproduce.row import data_file

Axes = Any
LOOKS = {
    "lattice": "tab:blue",
    "lattice that stalls": "tab:green",
    "lattice at the sensors": "tab:purple",
    "strips that stall": "tab:red",
}


def draw_theory(file: Path) -> None:
    """Wagner, Theodorsen, wings of finite span, a section over ±180°."""
    import matplotlib.pyplot as plt

    figure, ((start, harmonic), (span, section)) = plt.subplots(2, 2, figsize=(11.0, 8.0), layout="constrained")
    _start(start)
    _harmonic(harmonic)
    _span(span)
    _section(section)
    _save(figure, file)


def _start(axes: Axes) -> None:
    s = np.linspace(0.0, 20.0, 101)
    axes.plot(s, [wagner(x) for x in s], color="0.1", linewidth=2.5, label="exact (Wagner)")
    axes.plot(s, wagner_lags(s), color="tab:red", label="strips")
    found = {k: v for k, v in started(20, 20.0).items() if k > 0.3}
    axes.plot(list(found), list(found.values()), "--", color="tab:blue", label="unsteady lattice, 20 panels a chord")
    axes.set(
        xlabel="half chords travelled", ylabel="lift by final lift", title="Sudden start, plane flow", ylim=(0.5, 1)
    )
    axes.legend(fontsize=8)


def _harmonic(axes: Axes) -> None:
    k = np.geomspace(0.01, 2.0, 80)
    for part, name in ((np.real, "F"), (np.imag, "G")):
        axes.plot(k, part(theodorsen(k)), color="0.1", linewidth=2.5, label=f"exact {name} (Theodorsen)")
        axes.plot(k, part(theodorsen_lags(k)), color="tab:red", label=f"strips, {name}")
    for at in (0.2, 0.3, 0.5, 1.0):
        lift, _ = plunged(at, 20)
        wake = lift - 0.5j * at
        label = "unsteady lattice" if at == 0.3 else None
        axes.plot([at, at], [wake.real, wake.imag], "o", color="tab:blue", label=label)
    axes.set(xlabel="reduced frequency k", ylabel="C(k) = F + iG", title="Plunging, plane flow", xscale="log")
    axes.legend(fontsize=8)


def _span(axes: Axes) -> None:
    alpha = 0.1
    for name, chord, colour in (
        ("elliptic", lambda y: 4.0 / math.pi * np.sqrt(1.0 - (y / 3.0) ** 2), "tab:orange"),
        ("rectangular", np.ones_like, "tab:red"),
    ):
        found = lifting_line(6.0, chord, lambda y: np.full_like(y, alpha), lambda a: 2.0 * math.pi * a)
        axes.plot(found.y, found.circulation, color=colour, label=f"lifting line, {name}")
    y = np.linspace(-3.0, 3.0, 200)
    exact = 2.0 * 6.0 * 2.0 * alpha / (6.0 + 2.0) * np.sqrt(1.0 - (y / 3.0) ** 2)
    axes.plot(y, exact, ":", color="0.1", linewidth=2.5, label="elliptic, closed form")
    corners = whole(tapered(6.0, 1.0, 1.0, chordwise=6, spanwise=24))
    flow = np.array([-math.cos(alpha), 0.0, math.sin(alpha)])
    gamma = steady_lattice(corners, flow).gamma[-1]
    middle = 0.5 * (corners[0, 1:, 1] + corners[0, :-1, 1])
    axes.plot(middle, gamma, ".", color="tab:blue", label="lattice, rectangular")
    axes.set(xlabel="y [chords]", ylabel="circulation by speed and chord", title="Aspect ratio 6 at 0.1 rad")
    axes.legend(fontsize=8)


def _section(axes: Axes) -> None:
    alpha = np.radians(np.linspace(-180.0, 180.0, 1441))
    found = lift_and_drag(alpha, steady_polar(alpha, NACA_0012))
    axes.plot(np.degrees(alpha), found.lift, color="tab:red", label="lift")
    axes.plot(np.degrees(alpha), found.drag, color="tab:blue", label="drag, without friction")
    axes.set(
        xlabel="angle of attack [deg]",
        ylabel="coefficient",
        title="Section over all angles",
        xticks=range(-180, 181, 60),
    )
    axes.legend(fontsize=8)


def draw_flapping(outline: Path, curve: Path, file: Path) -> None:
    """Lift over a cycle: measured, our models, and PteraSoftware's lattice where it is installed."""
    import matplotlib.pyplot as plt

    lift, _ = measured(curve)
    figure, axes = plt.subplots(figsize=(8.5, 4.8), layout="constrained")
    axes.axvspan(0.25, 0.75, color="0.93", label="downstroke")
    axes.plot(FRACTIONS, lift, color="0.1", linewidth=2.8, label="measured (Yeo, Atkins, Shyy 2011)")
    peer = last_line("pterasoftware", str(outline))
    if not isinstance(peer, str):
        theirs = np.array(peer["lift"])
        error = np.abs(theirs - lift).mean()
        axes.plot(FRACTIONS, theirs, "--", color="tab:orange", label=f"PteraSoftware's lattice: {1000 * error:.1f} mN")
    for name, values in lifts(Plate(outline)).items():
        error = np.abs(values - lift).mean()
        axes.plot(FRACTIONS, values, color=LOOKS[name], linewidth=1.4, label=f"{name}: {1000 * error:.1f} mN")
    axes.set(xlabel="part of the cycle", ylabel="lift of both halves [N]", title="Flapping plate, 2.9 m/s, 3.3 Hz")
    axes.legend(fontsize=8, title="mean absolute error")
    _save(figure, file)


def _save(figure: Any, file: Path) -> None:
    import matplotlib.pyplot as plt

    save_picture(figure, file, dpi=90)
    plt.close(figure)
    print(file)


def main() -> None:
    """Draw both."""
    draw_theory(Path("out/wings_theory.png"))
    outline, curve = data_file("flapping/planform.csv"), data_file("flapping/experimental_lift.csv")
    for path in (outline, curve):
        if isinstance(path, str):
            raise SystemExit(path)
    draw_flapping(Path(outline), Path(curve), Path("out/wings_flapping.png"))


if __name__ == "__main__":
    main()
