"""Reads every new record once, later, and notes how it bears on older ones."""
