"""Numbers from data: physical numbers from a recording, gains from many flights."""
