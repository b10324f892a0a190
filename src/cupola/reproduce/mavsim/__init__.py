"""Check values of mavsim, the simulator of Beard and McLain's book."""
