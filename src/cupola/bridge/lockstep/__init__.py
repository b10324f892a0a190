"""Other processes in lock step with the world: the protocol, remote controllers, models from outside."""
