"""Controllers of planes and of birds that flap."""
