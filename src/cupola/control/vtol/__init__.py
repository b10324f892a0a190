"""Controllers of planes that take off upright."""
