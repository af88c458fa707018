"""The tables of records and what hangs on them."""

from memory.models.capability import Capability
from memory.models.embedding import Embedding
from memory.models.outbox import Errand
from memory.models.policy import WritePolicy
from memory.models.proposal import Proposal
from memory.models.record import Derivation, Record, Succession
from memory.models.relation import Doubt, Relation
from memory.models.replay import KeptName, Replay
from memory.models.tally import Tally

__all__ = [
    "Capability",
    "Derivation",
    "Doubt",
    "Embedding",
    "Errand",
    "KeptName",
    "Proposal",
    "Record",
    "Relation",
    "Replay",
    "Succession",
    "Tally",
    "WritePolicy",
]
