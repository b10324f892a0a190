"""The port to MuJoCo: the only place that steps it."""
