"""What an executor returns."""

from memory.protocol.shapes import Answer

Told = tuple[str, Answer | None]
"""The name of a declared form, and the answer in that form; None is JSON null."""
