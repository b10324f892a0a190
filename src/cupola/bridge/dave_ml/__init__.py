"""Aircraft models in DAVE-ML (ANSI/AIAA S-119), the exchange format of flight-dynamics tables."""
