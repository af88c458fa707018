"""What an executor returns."""

from memory.effects import Told

__all__ = ["Told"]
