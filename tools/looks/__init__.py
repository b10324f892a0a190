"""Draws what vehicles look like: meshes of few triangles that MuJoCo's cameras and the page show, and nothing touches.

`python -m tools.looks` writes `look.xml` beside the models. A look has neither mass nor contacts, and rays pass through
it: the plain shapes of `model.xml` stay what everything else meets.
"""
