"""Real flights of a Crazyflie, predicted."""
