"""Real servers out of Python wheels, kept alive on one machine."""
