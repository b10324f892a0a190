"""Operating points and small motions about them, asked of the compiled world."""

from cupola.analysis.aircraft import Aircraft
from cupola.analysis.controls import Control
from cupola.analysis.coordinates import Flight
from cupola.analysis.equilibrium import OperatingPoint, equilibrium
from cupola.analysis.linear import LinearModel, linearize
from cupola.analysis.modes import Mode, eigenvalues, modes
from cupola.analysis.trim import Condition, Trim, trim

__all__ = [
    "Aircraft",
    "Condition",
    "Control",
    "Flight",
    "LinearModel",
    "Mode",
    "OperatingPoint",
    "Trim",
    "eigenvalues",
    "equilibrium",
    "linearize",
    "modes",
    "trim",
]
