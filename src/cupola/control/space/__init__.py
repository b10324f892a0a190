"""Controllers of the space robot: its arm, its base, and its mission."""
