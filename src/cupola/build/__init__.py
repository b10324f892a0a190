"""From a scenario to what runs: the MuJoCo model, its scenery, and the rows and addresses of the loop."""
