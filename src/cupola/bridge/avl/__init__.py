"""Geometry files of AVL (Drela and Youngren): surfaces as wings that are solved by the lattice, with their controls."""
