"""What stands in the files of engines, propellers, tanks and gear and is not read: it is listed by its name.

Temperatures, oil, starters and the like do not move an aircraft: they are known, and nothing is said of them.
"""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

SILENT = ("documentation", "description", "property", "output")
TURBINE_READ = (
    "milthrust maxthrust bypassratio bleed idlen1 idlen2 maxn1 maxn2 augmented augmethod injected injection-time tsfc"
    " atsfc ignitionn1 ignitionn2 n1spinup n2spinup n1startrate n2startrate n1spindown n2spindown disable-windmill"
    " function@IdleThrust function@MilThrust function@AugThrust function@N1SpoolUp function@N1SpoolDown"
    " function@N2SpoolUp function@N2SpoolDown"
)
PISTON_READ = (
    "minmp maxmp man-press-lag displacement maxhp static-friction sparkfaildrop cycles idlerpm maxrpm maxthrottle"
    " minthrottle bsfc volumetric-efficiency compression-ratio stroke bore cylinders cylinder-head-mass"
    " air-intake-impedance-factor ram-air-factor cooling-factor starter-rpm starter-torque dynamic-fmep static-fmep"
    " peak-piston-speed numboostspeeds boostoverride takeoffboost boost-loss-factor oil-pressure-relief-valve-psi"
    " design-oil-temp-degK oil-pressure-rpm-max oil-viscosity-index injected boostmanual"
    + "".join(f" rated{what}{k}" for what in ("boost", "power", "rpm", "altitude") for k in (1, 2, 3))
)
TURBOPROP_READ = (
    "milthrust idlen1 maxn1 idlen2 maxn2 betarangeend reversemaxpower maxpower idlefuelflow psfc n1idle_max_delay"
    " maxstartingtime startern1 ielumaxtorque itt_delay table@EnginePowerRPM_N1 table@EnginePowerVC"
    " function@EnginePowerVC table@ITT_N1 table@CombustionEfficiency_N1"
)
PROPELLER_READ = (
    "ixx diameter numblades gearratio minpitch maxpitch minrpm maxrpm constspeed reversepitch ct_factor cp_factor"
    " table@C_THRUST table@C_POWER table@CT_MACH table@CP_MACH"
)
READ = {
    "turbine_engine": TURBINE_READ,
    "piston_engine": PISTON_READ,
    "turboprop_engine": TURBOPROP_READ,
    "rocket_engine": "isp slfuelflowmax sloxiflowmax propflowmax mixtureratio minthrottle maxthrottle",
    "electric_engine": "power",
    "brushless_dc_motor": "velocityconstant coilresistance noloadcurrent maxvolts",
    "propeller": PROPELLER_READ,
    "nozzle": "area pe expr nzl_eff diam",
    "direct": "",
    "engine": "location orient thruster feed turbine_engine piston_engine turboprop_engine rocket_engine"
    " electric_engine brushless_dc_motor",
    "thruster": "location orient sense p_factor direct propeller nozzle rotor",
    "tank": "location drain_location radius inertia_factor capacity contents unusable-volume temperature standpipe"
    " priority density type grain_config",
    "contact": "location static_friction dynamic_friction rolling_friction spring_coeff damping_coeff max_steer"
    " brake_group retractable",
}
"""By the name of an element: what may stand in it."""


def unread(element: ET.Element, where: str) -> Iterator[tuple[str, str]]:
    """What stands in an element that is not read, as rows of the list of what was lost."""
    if element.tag not in READ:
        return  # refused elsewhere, by its name
    known = READ[element.tag].split()
    names = (f"{one.tag}@{one.get('name')}" if one.tag in ("table", "function") else one.tag for one in element)
    for name in dict.fromkeys(names):
        if name not in known and name not in SILENT:
            tag, _, given = name.partition("@")
            yield f"<{tag}{f' name={given!r}' if given else ''}> of {where}", "is not read here"
