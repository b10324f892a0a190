"""Models and worlds of Gazebo (SDF) and robots (URDF) as vehicle folders."""
