"""Parts whose model comes from outside: Python, C, an FMU or another process, and how they are wired."""
