"""Whole wings: lifting line, vortex lattices steady and unsteady, and the exact functions that check them.

Arrays and linear systems; the equations of one strip stand in `physics`. Axes are x forward, y left, z up.
"""
