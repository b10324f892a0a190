"""Input devices: joystick, keyboard or a file of sticks as 20 channels, and functions of channels."""
