"""What may stand in a YAML file: reading and checking it, what its errors say, numbers to tune, own classes."""
