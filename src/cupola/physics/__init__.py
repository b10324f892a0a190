"""The textbook: pure functions on numbers, written once and executed four ways.

Nothing here knows MuJoCo, files or time steps of a loop. SI units, radians; the frame is in the name (`_w` world, `_b`
body, `_s` site). Rules that keep the four executions equal: only `cupola.xmath`, no `if` on values, no in-place writes,
noise is an argument, results are named.
"""
