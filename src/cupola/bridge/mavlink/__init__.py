"""Ground stations over MAVLink: they see and command vehicles that no autopilot flies."""
