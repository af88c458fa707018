"""The verbs. `run` is the only entrance, whatever door a call came through."""

from memory.verbs.running import Outcome, run

__all__ = ["Outcome", "run"]
