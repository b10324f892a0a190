"""The running world and interaction with it: steps, commands, failures, tuning, pictures."""
