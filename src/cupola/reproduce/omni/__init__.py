"""Figures of the thesis on Velma's base."""
