"""Figures of last_letter_2: wings, motors, vehicles."""
