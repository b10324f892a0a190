"""Hands: joystick, keyboard or a file of sticks become 20 channels; channels do things."""
