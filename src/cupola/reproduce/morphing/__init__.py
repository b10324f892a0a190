"""Figures on wings that morph and flap."""
