"""What an executor returns."""

from memory.protocol.shapes import Answer

Told = tuple[str, Answer]
"""The name of a declared form, and the answer in that form."""
