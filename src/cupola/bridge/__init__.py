"""The world in somebody else's frames, units, files and clock."""
