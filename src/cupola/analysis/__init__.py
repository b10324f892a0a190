"""Steady flight and small motions about it, asked of the compiled world: trim, linear models, natural modes."""

from cupola.analysis.aircraft import Aircraft, Flight
from cupola.analysis.controls import Control
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
    "Trim",
    "eigenvalues",
    "linearize",
    "modes",
    "trim",
]
