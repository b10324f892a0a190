"""PteraSoftware: the flapping wing of Yeo, Atkins and Shyy. Run by path with the outline; prints one line of JSON.

The wing is built as in the package's own validation study: 18 sections a side, 5 panels along the chord, a prescribed
wake, three cycles. `lift` [N] is given at 100 points of the last one, `seconds` is the time of the solver alone.
"""

import csv
import importlib.metadata
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

sys.path.pop(0)  # this folder holds a file named like the package
import numpy as np
import pterasoftware as ps

CHORDWISE, SPANWISE, CYCLES = 5, 18, 3
ROOT_CHORD, HALF_SPAN, TIP_INSET = 0.072, 0.213, 0.005
SPEED, FREQUENCY, STEPS = 2.9, 3.3, 224
COSINES, SINES = (4.10e-5, -0.0322, -8.90e-7, 0.00046), (0.3793, -1.95e-6, -0.0035, -3.60e-6)
WORK = "UVLM, 2 x 18 x 5 panels, prescribed wake"


def flap(phase: float) -> float:
    """Flap angle [rad], up positive."""
    waves = zip(range(1, 5), COSINES, SINES, strict=True)
    return 0.0354 + sum(a * math.cos(n * phase) + b * math.sin(n * phase) for n, a, b in waves)


def edges(outline: Path, stations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Leading and trailing edge behind the leading edge of the root [m]."""
    with outline.open(newline="") as file:
        rows = [(float(row["span_mm"]), float(row["chord_from_te_mm"])) for row in csv.DictReader(file)]
    span, back = np.array([(0.001 * y, ROOT_CHORD - 0.001 * x) for y, x in rows]).T
    tip = int(np.argmax(span))
    front = np.interp(stations, span[:tip], back[:tip])
    return front, np.interp(stations, span[tip:][::-1], back[tip:][::-1])


def sections(outline: Path) -> list[ps.geometry.wing_cross_section.WingCrossSection]:
    """From root to tip; each leading edge is given from the one before."""
    stations = np.linspace(0.0, HALF_SPAN - TIP_INSET, SPANWISE + 1)
    front, rear = edges(outline, stations)
    found, before = [], (0.0, 0.0)
    for k in range(SPANWISE + 1):
        last = k == SPANWISE
        found.append(
            ps.geometry.wing_cross_section.WingCrossSection(
                airfoil=ps.geometry.airfoil.Airfoil(name="naca0001"),
                num_spanwise_panels=None if last else 1,
                chord=rear[k] - front[k],
                Lp_Wcsp_Lpp=(front[k] - before[0], stations[k] - before[1], 0.0),
                control_surface_symmetry_type="symmetric",
                spanwise_spacing=None if last else "uniform",
            )
        )
        before = front[k], stations[k]
    return found


def movement(outline: Path, steps: int) -> ps.movements.movement.Movement:
    """Flapping about the root chord, as a custom wave: it starts at zero and has amplitude one."""
    phases = np.linspace(0.0, 2.0 * math.pi, 201)
    angles = np.array([flap(phase) for phase in phases])
    amplitude = 0.5 * (angles.max() - angles.min())
    wing = ps.geometry.wing.Wing(
        wing_cross_sections=sections(outline),
        symmetric=True,
        symmetryNormal_G=(0.0, 1.0, 0.0),
        symmetryPoint_G_Cg=(0.0, 0.0, 0.0),
        num_chordwise_panels=CHORDWISE,
        chordwise_spacing="uniform",
        angles_Gs_to_Wn_ixyz=(math.degrees(flap(0.0)), 0.0, 0.0),
    )
    airplane = ps.geometry.airplane.Airplane(wings=[wing])
    moves = [
        ps.movements.airplane_movement.AirplaneMovement(
            base_airplane=airplane,
            wing_movements=[
                ps.movements.wing_movement.WingMovement(
                    base_wing=each,
                    wing_cross_section_movements=[
                        ps.movements.wing_cross_section_movement.WingCrossSectionMovement(base_wing_cross_section=s)
                        for s in each.wing_cross_sections
                    ],
                    ampAngles_Gs_to_Wn_ixyz=(math.degrees(amplitude), 0.0, 0.0),
                    periodAngles_Gs_to_Wn_ixyz=(1.0 / FREQUENCY, 0.0, 0.0),
                    spacingAngles_Gs_to_Wn_ixyz=(lambda x: (flap(x) - flap(0.0)) / amplitude, "sine", "sine"),
                )
                for each in airplane.wings
            ],
        )
    ]
    point = ps.operating_point.OperatingPoint(rho=1.225, vCg__E=SPEED, alpha=0.0)
    return ps.movements.movement.Movement(
        airplane_movements=moves,
        operating_point_movement=ps.movements.operating_point_movement.OperatingPointMovement(
            base_operating_point=point
        ),
        delta_time=CYCLES / FREQUENCY / STEPS,
        num_steps=steps,
    )


def solve(outline: Path, steps: int) -> tuple[Any, float]:
    """A solved case, and how long the solver took [s]."""
    problem = ps.problems.UnsteadyProblem(movement=movement(outline, steps))
    solver = ps.unsteady_ring_vortex_lattice_method.UnsteadyRingVortexLatticeMethodSolver(unsteady_problem=problem)
    begin = time.perf_counter()
    solver.run(prescribed_wake=True, calculate_streamlines=False, show_progress=False)
    return solver, time.perf_counter() - begin


solve(Path(sys.argv[1]), 3)  # it compiles on the first call, which is not timed
solver, seconds = solve(Path(sys.argv[1]), STEPS)
lift = np.array([-sum(a.forces_W[2] for a in p.airplanes) for p in solver.steady_problems])
times = CYCLES / FREQUENCY / STEPS * np.arange(STEPS)
cycle = (CYCLES - 1 + np.arange(100) / 100.0) / FREQUENCY
found = {
    "version": importlib.metadata.version("PteraSoftware"),
    "seconds": seconds,
    "steps": STEPS,
    "work": WORK,
    "lift": np.interp(cycle, times, lift).tolist(),
}
print(json.dumps(found))
