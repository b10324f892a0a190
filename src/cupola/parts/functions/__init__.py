"""Functions written in a vehicle file: tables of many variables, expressions, and the machine that runs them."""
