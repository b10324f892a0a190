"""Many worlds of one scenario at once: `cupola.batch(scenario, n)`."""
