"""The tables of records and what hangs on them."""

from memory.models.embedding import Embedding
from memory.models.outbox import Errand
from memory.models.record import Derivation, Record
from memory.models.relation import Doubt, Relation
from memory.models.replay import Replay

__all__ = ["Derivation", "Doubt", "Embedding", "Errand", "Record", "Relation", "Replay"]
