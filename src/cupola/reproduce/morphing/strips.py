"""Levels 6 and 9 of the wings' verification ladder: strips, flapping wings, propellers; and the energy of a bird."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cupola.aerodynamics.exact import theodorsen
from cupola.aerodynamics.strips import march_strips
from cupola.physics.propeller import BladeElement, ElementLoad, element_load
from cupola.physics.rotation import Vector
from cupola.physics.section import section_polar
from cupola.physics.strip import Strip, steady_down, strip_flow, strip_wrench
from cupola.reproduce.morphing.energy import fall
from cupola.reproduce.row import Row, at_most, within

STRIPS, PROPELLER = "strip theory, closed forms", "blade elements and momentum, closed forms"
ATTACHED = {"alpha_stall": 3.0, "c_normal_90": 0.0}
"""A section that never stalls."""
BOUND = 5e-3
ENERGY = 1e-6


def rows(full: bool) -> Iterator[Row]:
    """Strips at rest and rolling, a flapping wing, blades without inflow, propellers, and the energy balance."""
    yield from _rolling()
    yield from _cambered()
    yield from _blade()
    yield from _flapping()
    yield from _propeller()
    error = fall().error()
    quantity = "energy of a free flapping bird over 10 s, change of the whole by the start's"
    yield at_most("morphing_energy", "power of unsteady strips (closed form)", quantity, ENERGY, error)


def steady_normal(vel_air: Vector, rate: Vector, density: float, p: Strip) -> Any:
    """Normal force of strips without memory [N]."""
    flow = strip_flow(vel_air, rate, p)
    down = steady_down(flow, p)
    alpha = np.arctan2(down, flow.forward)
    return strip_wrench(flow, down, 1.0, section_polar(alpha, 1.0, p), density, p).force.z


def _rolling() -> Iterator[Row]:
    """Roll damping of a straight and of a tapered wing, a = 2π."""
    rate, speed, span = 1e-4, 1.0, 2.0
    for taper in (1.0, 0.4):
        y = (np.arange(2000) + 0.5) / 2000.0 * span - 0.5 * span
        chord: Any = 1.0 - (1.0 - taper) * np.abs(y) / (0.5 * span)
        p = Strip(chord, span / 2000.0, **ATTACHED)
        # Rolling right (about +x) sinks the right wing, at negative y.
        velocity = Vector._make((np.full_like(y, speed), 0.0 * y, rate * y))
        moment = float((y * steady_normal(velocity, Vector(rate, 0.0, 0.0), 2.0, p)).sum())
        area = 0.5 * span * (1.0 + taper)
        measured = moment / (area * span * rate * span / 2.0)
        exact = -2.0 * math.pi / 12.0 * (1.0 + 3.0 * taper) / (1.0 + taper)
        key, name = f"morphing_roll_{taper:g}", f"roll damping, taper {taper:g}"
        yield within(key, STRIPS, name, exact, measured, BOUND * abs(exact))


def _cambered() -> Iterator[Row]:
    """Induced drag of an arched wing."""
    ratio, alpha, speed, density = 8.0, 0.1, 16.0, 1.2
    p = Strip(0.2, 1.0, span_factor=ratio / (ratio + 2.0), alpha_0=-0.035, **ATTACHED)
    flow = strip_flow(Vector(speed * math.cos(alpha), 0.0, -speed * math.sin(alpha)), Vector(0.0, 0.0, 0.0), p)
    down = steady_down(flow, p)
    polar = section_polar(math.atan2(down, flow.forward), 1.0, p)
    force, push = strip_wrench(flow, down, 0.0, polar, density, p).force, 0.5 * density * speed**2 * p.chord
    lift = (force.z * math.cos(alpha) + force.x * math.sin(alpha)) / push
    drag = (force.z * math.sin(alpha) - force.x * math.cos(alpha)) / push
    quantity = (
        f"induced drag of an arched strip, zero lift at -2°, C_L = {lift:.2f}: how far from C_L² / (π A), by that"
    )
    off = abs(drag * math.pi * ratio / lift**2 - 1.0)
    yield at_most("morphing_camber_induced", STRIPS, quantity, 0.02, off)


def _blade() -> Iterator[Row]:
    """A rotor blade without inflow: T = ρ a c θ Ω² R³ / 6."""
    density, chord, pitch, omega, radius = 1.2, 0.1, 0.01, 50.0, 1.5
    r = (np.arange(200) + 0.5) / 200.0 * radius
    p = Strip(chord, radius / 200.0, **ATTACHED)
    velocity = Vector._make((omega * r * math.cos(pitch), 0.0 * r, -omega * r * math.sin(pitch)))
    thrust = float(steady_normal(velocity, Vector(0.0, 0.0, 0.0), density, p).sum()) * math.cos(pitch)
    exact = density * 2.0 * math.pi * chord * pitch * omega**2 * radius**3 / 6.0
    yield within("morphing_blade", STRIPS, "thrust of a blade without inflow", exact, thrust, BOUND * exact, "N")


def root_flapping(amplitude: float = 0.01) -> tuple[float, float]:
    """Mean thrust [N] and power [W] of a wing that flaps about its root, scaled from `amplitude` to 30° [rad].

    Density 1.225, 10 m/s, two halves of 0.5 m with a chord of 0.2 m, 5 Hz.
    """
    speed, omega, radius, count, steps = 10.0, 2.0 * math.pi * 5.0, 0.5, 40, 400
    y = (np.arange(count) + 0.5) / count * radius
    p = Strip(0.2, radius / count, **ATTACHED)

    def motion(time: float) -> tuple[Vector, Vector]:
        rate = amplitude * omega * math.cos(omega * time)
        return Vector._make((np.full(count, speed), 0.0 * y, rate * y)), Vector(rate, 0.0, 0.0)

    cycles, dt = 12, 2.0 * math.pi / omega / steps
    thrust = power = 0.0
    for now in march_strips(motion, cycles * steps, dt, 1.225, p, stall=False):
        if now.time > (cycles - 1.0) * steps * dt - 0.5 * dt:
            thrust += 2.0 * float(np.sum(now.wrench.force.x)) / steps
            power -= 2.0 * float((now.wrench.force.z * y).sum()) * motion(now.time)[1].x / steps
    scale = (math.radians(30.0) / amplitude) ** 2
    return scale * thrust, scale * power


def _flapping() -> Iterator[Row]:
    source = "Garrick 1936, wing flapping about its root"
    thrust, power = root_flapping()
    yield within("morphing_flapping_thrust", source, "mean thrust", 4.0328, thrust, BOUND * 4.0328, "N")
    yield within("morphing_flapping_power", source, "mean power", 57.119, power, BOUND * 57.119, "W")
    efficiency = thrust * 10.0 / power
    yield within("morphing_flapping_efficiency", source, "efficiency", 0.70604, efficiency, BOUND * 0.70604)
    c = complex(theodorsen(0.314159))
    yield within("morphing_flapping_deficiency", source, "F at k = 0.314159", 0.658230, c.real, 5e-6)


def rings(pitch: Any, solidity: float, omega: float, v_axial: float, *, loss: bool, **section: float) -> ElementLoad:
    """Rings of a two-bladed propeller of radius 1 m; `pitch` [rad] is a function of the radius.

    Without `loss` the same blade area is spread over so many blades that no tip counts.
    """
    r: Any = (np.arange(100) + 0.5) / 100.0
    blades = 2.0 if loss else 1e6
    p = BladeElement(r, 0.01, solidity * math.pi / blades, pitch(r), blades, 1.0, **section)
    return element_load(omega, v_axial, 1.2, p)


def _propeller() -> Iterator[Row]:
    omega, solidity, slope = 100.0, 0.05, 2.0 * math.pi
    disc = 1.2 * math.pi * omega**2
    r = (np.arange(100) + 0.5) / 100.0
    pitch = 0.02
    found = rings(lambda r: 0.0 * r + pitch, solidity, omega, 0.0, loss=False, **ATTACHED)
    inflow = solidity * slope / 16.0 * (np.sqrt(1.0 + 32.0 * pitch * r / (solidity * slope)) - 1.0)
    off = float(np.abs(found.induced / omega - inflow).max() / inflow.max())
    quantity = "inflow in hover, constant pitch: largest difference from σa/16 (√(1 + 32θr/σa) - 1), by its tip's"
    yield at_most("morphing_hover_inflow", PROPELLER, quantity, BOUND, off)
    tip = 0.01
    found = rings(lambda r: tip / np.maximum(r, 0.02), solidity, omega, 0.0, loss=False, **ATTACHED)
    thrust = float(found.thrust.sum()) / disc
    root = (math.sqrt(1.0 + 32.0 * tip / (solidity * slope)) - 1.0) * solidity * slope / 16.0
    exact = 2.0 * root * root
    yield within("morphing_hover_thrust", PROPELLER, "C_T in hover, ideal twist", exact, thrust, BOUND * exact)
    uniform = uniform_thrust(pitch, solidity)
    lag = math.sqrt(0.5 * uniform)
    closed = 0.5 * solidity * slope * (pitch / 3.0 - 0.5 * lag)
    quantity = "C_T in hover, constant pitch and uniform inflow: σa/2 (θ/3 - λ/2)"
    yield within("morphing_hover_uniform", PROPELLER, quantity, closed, uniform, BOUND * closed)
    push = rings(lambda r: np.arctan(0.15 / r), solidity, omega, 10.0, loss=True, **ATTACHED)
    axial = float((push.thrust * (10.0 + push.induced)).sum())
    quantity = "shaft power by thrust times speed through the disc and swirl, lossless blades"
    ratio = float(push.torque.sum()) * omega / axial
    yield within("morphing_propeller_power", PROPELLER, quantity, 1.0, ratio, 0.02)


def uniform_thrust(pitch: float, solidity: float) -> float:
    """C_T of blades of constant pitch in the uniform inflow that their own thrust makes."""
    r, inflow = (np.arange(2000) + 0.5) / 2000.0, 0.0
    for _ in range(200):
        p = Strip(solidity * math.pi / 2.0, 1.0 / 2000.0, **ATTACHED)
        velocity = Vector._make((r, 0.0 * r, -(pitch * r - inflow)))
        thrust = 2.0 * float(steady_normal(velocity, Vector(0.0, 0.0, 0.0), 1.0, p).sum()) / math.pi
        inflow = 0.5 * (inflow + math.sqrt(max(thrust, 0.0) / 2.0))
    return thrust
