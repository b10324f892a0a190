"""Controllers of multirotors."""
