"""Figures of the Cepheus thesis."""
