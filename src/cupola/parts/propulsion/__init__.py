"""Parts that push and what feeds them: rotors, propellers, flapping wings, batteries, gas and thrusters."""
