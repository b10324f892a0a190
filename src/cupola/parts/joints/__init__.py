"""Parts on joints and on the ground: servos, motors, wheels, grippers, air bearings."""
