"""Basis of compiled code: compiler and cache, memory of the loop, MuJoCo's functions, motion and air."""
