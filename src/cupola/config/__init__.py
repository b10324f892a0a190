"""What users write in files: vehicles, scenarios, channels and routes."""
