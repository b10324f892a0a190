"""Real autopilots in lock step with the world: what each of them is sent, and what its outputs mean."""
