"""Aircraft of JSBSim: its configuration files as vehicle folders."""
