"""Aircraft of JSBSim, imported and asked beside JSBSim itself."""
