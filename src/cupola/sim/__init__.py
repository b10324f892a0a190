"""The world that runs, and what people and controllers do to it: steps, commands, failures, tuning, pictures."""
