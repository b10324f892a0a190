"""Functional Mock-up Units: open, step and pack them."""
