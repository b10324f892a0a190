"""Properties of JSBSim that a flight answers, in its units, and those that a pilot moves."""

import math

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim.elements import FOOT, KNOT, PSF, SLUG

DEGREES = 180.0 / math.pi
RHO = SLUG / FOOT**3
SEA_LEVEL_DENSITY, SEA_LEVEL_PRESSURE = 0.0023769117527742576 * RHO, 2116.228 * PSF
"""[kg/m³, Pa] of JSBSim's standard air, to which its equivalent and calibrated airspeeds and its ratios refer."""
CALIBRATED = (
    f"{(7.0 * SEA_LEVEL_PRESSURE / SEA_LEVEL_DENSITY) ** 0.5!r}"
    f" * sqrt((impact / {SEA_LEVEL_PRESSURE!r} + 1) ^ (2 / 7) - 1)"
)
"""[m/s] of an impact pressure [Pa], below the speed of sound: the formula of an airspeed indicator."""
IMPACT = "pressure * ((1 + 0.2 * mach ^ 2) ^ 3.5 - 1)"
VISCOSITY = f"{2.26969e-8 * SLUG / FOOT * 1.8**0.5!r} * temperature ^ 1.5 / (temperature + {198.72 / 1.8!r})"
"""[Pa s] of air, by Sutherland with the constants that JSBSim has in slug, ft and °R."""
TURN_RATE = "(q * sin(roll) + r * cos(roll)) / cos(pitch)"
TRACK = f"if(track < 0, track + {2.0 * math.pi!r}, track)"
CLIMB = "atan2(climb_rate, ground_speed)"
KNOWN = {
    "aero/qbar-psf": ("dynamic_pressure", PSF), "aero/alpha-rad": ("alpha", 1.0), "aero/beta-rad": ("beta", 1.0),
    "aero/alpha-deg": ("alpha", 1.0 / DEGREES), "aero/beta-deg": ("beta", 1.0 / DEGREES),
    "aero/mag-beta-rad": ("abs(beta)", 1.0), "aero/mag-beta-deg": ("abs(beta)", 1.0 / DEGREES),
    "aero/alphadot-rad_sec": ("alpha_rate", 1.0), "aero/betadot-rad_sec": ("beta_rate", 1.0),
    "velocities/p-aero-rad_sec": ("p", 1.0), "velocities/q-aero-rad_sec": ("q", 1.0),
    "velocities/r-aero-rad_sec": ("r", 1.0), "velocities/p-rad_sec": ("p", 1.0), "velocities/q-rad_sec": ("q", 1.0),
    "velocities/r-rad_sec": ("r", 1.0), "velocities/mach": ("mach", 1.0), "velocities/vt-fps": ("airspeed", FOOT),
    "velocities/u-aero-fps": ("u", FOOT), "velocities/v-aero-fps": ("v", FOOT), "velocities/w-aero-fps": ("w", FOOT),
    "velocities/u-fps": ("u", FOOT), "velocities/v-fps": ("v", FOOT), "velocities/w-fps": ("w", FOOT),
    "velocities/vg-fps": ("ground_speed", FOOT), "velocities/h-dot-fps": ("climb_rate", FOOT),
    "velocities/v-down-fps": ("-climb_rate", FOOT),
    "velocities/ve-kts": (f"sqrt(2 * dynamic_pressure / {SEA_LEVEL_DENSITY})", KNOT),
    "velocities/ve-fps": (f"sqrt(2 * dynamic_pressure / {SEA_LEVEL_DENSITY})", FOOT),
    "velocities/vc-kts": (CALIBRATED.replace("impact", f"({IMPACT})"), KNOT),
    "velocities/vc-fps": (CALIBRATED.replace("impact", f"({IMPACT})"), FOOT),
    "atmosphere/density-altitude": ("altitude", FOOT), "atmosphere/pressure-altitude": ("altitude", FOOT),
    "position/h-sl-ft": ("altitude", FOOT), "position/h-agl-ft": ("height", FOOT),
    "atmosphere/rho-slugs_ft3": ("density", RHO), "atmosphere/P-psf": ("pressure", PSF),
    "atmosphere/T-R": ("temperature", 5.0 / 9.0), "atmosphere/a-fps": ("airspeed / max(mach, 1e-9)", FOOT),
    "attitude/phi-rad": ("roll", 1.0), "attitude/roll-rad": ("roll", 1.0), "attitude/theta-rad": ("pitch", 1.0),
    "attitude/pitch-rad": ("pitch", 1.0), "attitude/psi-rad": ("heading", 1.0),
    "attitude/phi-deg": ("roll", 1.0 / DEGREES),
    "attitude/theta-deg": ("pitch", 1.0 / DEGREES), "attitude/psi-deg": ("heading", 1.0 / DEGREES),
    "attitude/heading-true-rad": ("heading", 1.0), "simulation/sim-time-sec": ("time", 1.0),
    "simulation/dt": ("dt", 1.0),
    "velocities/vtrue-fps": ("airspeed", FOOT), "velocities/vtrue-kts": ("airspeed", KNOT),
    "velocities/machU": ("mach * u / airspeed", 1.0), "velocities/v-north-fps": ("ground_speed * cos(track)", FOOT),
    "velocities/v-east-fps": ("ground_speed * sin(track)", FOOT),
    "velocities/thetadot-rad_sec": ("q * cos(roll) - r * sin(roll)", 1.0),
    "velocities/psidot-rad_sec": (f"({TURN_RATE})", 1.0),
    "velocities/phidot-rad_sec": (f"p + ({TURN_RATE}) * sin(pitch)", 1.0),
    "flight-path/gamma-rad": (CLIMB, 1.0), "flight-path/gamma-deg": (CLIMB, 1.0 / DEGREES),
    "flight-path/psi-gt-rad": (TRACK, 1.0), "aero/alphadot-deg_sec": ("alpha_rate", 1.0 / DEGREES),
    "aero/betadot-deg_sec": ("beta_rate", 1.0 / DEGREES),
    "aero/qbarUW-psf": ("0.5 * density * (u ^ 2 + w ^ 2)", PSF),
    "aero/qbarUV-psf": ("0.5 * density * (u ^ 2 + v ^ 2)", PSF),
    "atmosphere/sigma": (f"density / {SEA_LEVEL_DENSITY}", 1.0),
    "atmosphere/delta": (f"pressure / {SEA_LEVEL_PRESSURE!r}", 1.0),
    "atmosphere/theta": ("temperature / 288.15", 1.0),
}  # fmt: skip
"""Expression [SI], and the size of JSBSim's unit."""
KNOWN |= {f"velocities/{one}i-rad_sec": (one, 1.0) for one in "pqr"}
NEARLY = dict.fromkeys(
    (f"velocities/{one}i-rad_sec" for one in "pqr"), "is the rate relative to the ground here: it lacks the Earth's own"
)
"""Properties that are not quite what JSBSim means, and why."""
PILOT = {
    "fcs/aileron-cmd-norm": 0, "fcs/elevator-cmd-norm": 1, "fcs/rudder-cmd-norm": 2, "fcs/throttle-cmd-norm": 3,
    "fcs/flap-cmd-norm": 4, "fcs/speedbrake-cmd-norm": 5, "fcs/spoiler-cmd-norm": 6,
}  # fmt: skip
"""Command channels; engines share one throttle."""
AGAINST = ("fcs/elevator-cmd-norm", "fcs/rudder-cmd-norm")
"""Commands that lower the nose or turn it left where they are positive; channels 1 and 2 raise it, turn it right."""
RESTING = {
    "gear/gear-cmd-norm": 1.0, "gear/gear-pos-norm": 1.0, "fcs/mixture-cmd-norm": 1.0, "fcs/advance-cmd-norm": 1.0,
    "fcs/pitch-trim-cmd-norm": 0.0, "fcs/roll-trim-cmd-norm": 0.0, "fcs/yaw-trim-cmd-norm": 0.0,
    "fcs/steer-cmd-norm": 0.0, "fcs/left-brake-cmd-norm": 0.0, "fcs/right-brake-cmd-norm": 0.0,
    "fcs/center-brake-cmd-norm": 0.0,
}  # fmt: skip
"""What nobody moves here, as in a cruise: constants, to be tuned."""
FIRST_FREE = 8
OF_THE_PROGRAM = (
    "accelerations/", "aero/", "atmosphere/", "attitude/", "buoyant_forces/", "flight-path/", "forces/", "gear/unit",
    "gear/wow", "inertia/", "moments/", "position/", "propulsion/", "velocities/",
)  # fmt: skip
"""Beginnings of the properties that JSBSim itself computes."""


def of_pilot(name: str) -> str:
    """Expression of a command of the pilot; empty for another property."""
    name = name.partition("[")[0]
    if name not in PILOT:
        return ""
    return f"{'-' if name in AGAINST else ''}channel[{PILOT[name]}]"


def why_it_rests(name: str) -> str:
    """Why a property that nothing here computes is 0; one of JSBSim's own is not 0 there."""
    if name.startswith(OF_THE_PROGRAM):
        return "nothing here computes it: it stays 0, and what depends on it differs where JSBSim has a number"
    return "nothing here computes it: it stays 0, as JSBSim leaves a property that nobody sets"


def known_expression(name: str) -> str:
    """Expression of a property that the flight answers; empty for another one."""
    if name not in KNOWN:
        return ""
    text, size = KNOWN[name]
    return text if size == 1.0 else f"(({text}) / {number(size)})"


def relative(name: str) -> tuple[str, str] | None:
    """Another form of the same surface position, and what must be done with it: degrees, radians, absolute value."""
    if name.startswith("fcs/mag-"):
        return f"fcs/{name.removeprefix('fcs/mag-')}", "abs({})"
    if name.endswith("-pos-rad"):
        return f"{name[:-4]}-deg", f"({{}} / {number(DEGREES)})"
    if name.endswith("-pos-deg"):
        return f"{name[:-4]}-rad", f"({{}} * {number(DEGREES)})"
    return None
