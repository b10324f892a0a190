"""Propulsion parts: rotors, propellers, flapping wings, batteries, gas and thrusters."""
