"""Operating points and linear models, computed with the compiled world."""

from cupola.analysis.aircraft import Aircraft
from cupola.analysis.controls import Control
from cupola.analysis.coordinates import Flight
from cupola.analysis.equilibrium import equilibrium
from cupola.analysis.linear import linearize
from cupola.analysis.linear_model import LinearModel
from cupola.analysis.modes import Mode, eigenvalues, modes
from cupola.analysis.operating_point import OperatingPoint
from cupola.analysis.orbit import PeriodicOrbit, periodic_orbit
from cupola.analysis.trim import Condition, Trim, trim

__all__ = [
    "Aircraft",
    "Condition",
    "Control",
    "Flight",
    "LinearModel",
    "Mode",
    "OperatingPoint",
    "PeriodicOrbit",
    "Trim",
    "eigenvalues",
    "equilibrium",
    "linearize",
    "modes",
    "periodic_orbit",
    "trim",
]
