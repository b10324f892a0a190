"""Draws what vehicles look like: meshes of few triangles that MuJoCo's cameras and the page show, and nothing touches.

`python -m tools.looks` writes them into the files `model.xml`, each of which stays whole by itself. A look has neither
mass nor contacts, and rays pass through it: the plain shapes of `model.xml` stay what everything else meets.
"""
