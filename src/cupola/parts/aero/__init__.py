"""Parts that the air pushes: airfoils, wings, bluff bodies."""
