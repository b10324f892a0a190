"""JSBSim in this process: put into a state, asked for its accelerations."""

import contextlib
import importlib.util
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.bridge.jsbsim.elements import FOOT, POUND, SLUG, SLUG_FT2

NEEDS = "jsbsim is not installed: pip install jsbsim"
HELD = ("rate/rotational", "rate/translational", "position/rotational", "position/translational")
"""Integrators without which an aircraft stays in its state while everything else goes on."""
REST = 20.0
"""[s] at most until actuators, filters and gear have reached where they are going, as ours have in 20 000 ticks."""
PASSES = 4
"""Initialisations of one state: lift and flow angles of the pass before enter JSBSim's next one."""

ABSENT = re.compile(r"The property (\S+) does not exist")


def is_installed() -> bool:
    """Whether JSBSim can be asked."""
    return importlib.util.find_spec("jsbsim") is not None


class State(NamedTuple):
    """A flight at latitude and longitude 0: SI, front-right-down, angles in radians."""

    altitude: float
    velocity: tuple[float, float, float]
    """Relative to the Earth and its still air."""
    rates: tuple[float, float, float]
    angles: tuple[float, float, float]
    """Roll, pitch, heading."""
    commands: tuple[float, float, float]
    """Aileron, elevator, rudder, as JSBSim counts them."""
    throttle: float = 0.0

    @property
    def channels(self) -> tuple[float, float, float]:
        """The same as our sticks count them: right, nose up, nose right."""
        aileron, elevator, rudder = self.commands
        return aileron, -elevator, -rudder


class Seen(NamedTuple):
    """What JSBSim answers, engines left out: SI, front-right-down."""

    linear: Any
    angular: Any
    """Changes of the velocity and of the rates in body axes [m/s², rad/s²]."""
    engine_force: Any
    engine_torque: Any
    density: float
    temperature: float
    sound: float
    alpha_rate: float
    beta_rate: float


class JsbsimPeer:
    """One aircraft of JSBSim's own folder or of another; its flight control keeps the step that it was loaded with."""

    def __init__(self, name: str, rate: float | None = None, root: Path | None = None) -> None:
        os.environ["JSBSIM_DEBUG"] = "0"
        import jsbsim

        with silence():
            self.fdm = jsbsim.FGFDMExec(str(root or home()))
            self.fdm.set_debug_level(0)
            if rate is not None:
                self.fdm.set_dt(1.0 / rate)
            self.fdm.load_model(name)
            self.fdm["ic/h-sl-ft"] = 10000.0
            _initialise(self.fdm)
        self.mass: float = self.fdm["inertia/mass-slugs"] * SLUG
        self.area: float = self.fdm["metrics/Sw-sqft"] * FOOT**2
        listed = [line for top in ("fcs/", "gear/") for line in self.fdm.query_property_catalog(top).splitlines()]
        # Not what each wheel measures: heights over the ground, and numbers that JSBSim has never set.
        self._controls = [line.split()[0] for line in listed if line.startswith(("fcs/", "gear/gear-"))]
        self._pushes = "forces/fbx-prop-lbs" in self.fdm.query_property_catalog("forces/fb")

    def tensor(self) -> Any:
        """Inertia about the centre of mass, front-right-down [kg m²]."""
        xx, yy, zz, xy, xz, yz = (
            self.fdm[f"inertia/i{axes}-slugs_ft2"] * SLUG_FT2 for axes in ("xx", "yy", "zz", "xy", "xz", "yz")
        )
        return np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])

    def put(self, state: State) -> None:
        """Initialise, until nothing depends on the state before."""
        f = self.fdm
        f["ic/lat-geod-deg"], f["ic/long-gc-deg"], f["ic/h-sl-ft"] = 0.0, 0.0, state.altitude / FOOT
        for name, value in zip(("phi", "theta", "psi-true"), state.angles, strict=True):
            f[f"ic/{name}-rad"] = value
        for name, value in zip("uvw", state.velocity, strict=True):
            f[f"ic/{name}-fps"] = value / FOOT
        for name, value in zip("pqr", state.rates, strict=True):
            f[f"ic/{name}-rad_sec"] = value
        for name, value in zip(("aileron", "elevator", "rudder"), state.commands, strict=True):
            f[f"fcs/{name}-cmd-norm"] = value
        with silence():
            for _ in range(PASSES):
                _initialise(f)

    def _let_rest(self) -> None:
        """Run until no actuator, filter or gear has changed within a second; `REST` where one never stays."""
        second, before = round(1.0 / self.fdm.get_delta_t()), None
        for _ in range(round(REST)):
            with silence():
                for _ in range(second):
                    self.fdm.run()
            now = [self.fdm[name] for name in self._controls]
            if now == before:
                return
            before = now

    def ask(self, state: State, rest: bool = False) -> Seen:
        """Accelerations in a state, less what the engines do; `rest` lets the control law come to rest first."""
        f = self.fdm
        if rest:
            with silence():
                f.reset_to_initial_conditions(0)  # some laws rest in two ways: both begin at neutral
            for name in HELD:
                f[f"simulation/integrator/{name}"] = 0.0
        self.put(state)
        if rest:
            self._let_rest()
        force, torque = np.zeros(3), np.zeros(3)
        if self._pushes:
            force = np.array([f[f"forces/fb{axis}-prop-lbs"] for axis in "xyz"]) * POUND
            torque = np.array([f[f"moments/{axis}-prop-lbsft"] for axis in "lmn"]) * POUND * FOOT
        linear = np.array([f[f"accelerations/{axis}dot-ft_sec2"] for axis in "uvw"]) * FOOT - force / self.mass
        angular = np.array([f[f"accelerations/{axis}dot-rad_sec2"] for axis in "pqr"])
        return Seen(
            linear,
            angular - np.linalg.solve(self.tensor(), torque),
            force,
            torque,
            f["atmosphere/rho-slugs_ft3"] * SLUG / FOOT**3,
            f["atmosphere/T-R"] / 1.8,
            f["atmosphere/a-fps"] * FOOT,
            f["aero/alphadot-rad_sec"],
            f["aero/betadot-rad_sec"],
        )


def _initialise(fdm: Any) -> None:
    """Set what only FlightGear would set, which JSBSim refuses to fly without, to 0: so it is in our aircraft."""
    absent = ""
    while True:
        try:
            fdm.run_ic()
            return
        except Exception as error:
            found = ABSENT.search(str(error))
            if found is None or found[1] == absent:
                raise
            absent = found[1]
            fdm[absent] = 0.0
            fdm.resume_integration()  # it had stopped half-way


def home() -> Path:
    """The folder of the aircraft and engines that JSBSim ships: its package, wherever Python found that."""
    import jsbsim

    return Path(jsbsim.__file__).parent


def aircraft_file(name: str, root: Path | None = None) -> Path:
    """The configuration file of an aircraft that JSBSim ships, or that lies in another folder like its own."""
    return (root or home()) / "aircraft" / name / f"{name}.xml"


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """JSBSim writes to the terminal from C++; what it says there goes nowhere."""
    saved = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(saved[0], 1)
        os.dup2(saved[1], 2)
        for one in (*saved, nowhere):
            os.close(one)
