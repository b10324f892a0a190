"""Controllers of helicopters."""
