"""Viewers that people already use: Foxglove and Rerun, live and from a recording."""
