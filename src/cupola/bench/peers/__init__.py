"""Other simulators, one script each. A script imports nothing of ours: it may run in another Python environment.

It steps its vehicle in flight for a while and prints one line of JSON: `version`, `steps_per_second`, `work`.
"""
