"""What controllers command and parts obey: a controller asks for one of these, whichever part obeys it."""

THRUST_AND_TURN = "specific thrust and angular accelerations"
"""[m/s², rad/s²]: four channels, see `Mixer`."""
WHEEL_SPEEDS = "wheel speeds"
"""[rad/s]: four channels, see `Mecanum`."""
BLADE_ANGLES = "collective and cyclic blade angles"
"""See `HelicopterRotor`."""
