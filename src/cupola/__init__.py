"""Cupola: a simulator for flying, driving, space and bird-like robots."""

__version__ = "0.1.0"
