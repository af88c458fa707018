"""Judges read a new record beside older ones and say how they bear on each other. Any of them may be wrong."""

from archivist.judges.protocol import Bearing, Finding, Judge, Told

__all__ = ["Bearing", "Finding", "Judge", "Told"]
