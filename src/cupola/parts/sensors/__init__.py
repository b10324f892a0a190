"""Parts that measure, one file for each kind of sensor."""
