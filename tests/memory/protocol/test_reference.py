"""The reference is made, not written."""

from pathlib import Path

import memory.protocol
from memory.protocol.reference import reference


def test_the_committed_reference_is_what_the_protocol_declares() -> None:
    committed = Path(str(memory.protocol.__file__)).with_name("REFERENCE.md").read_text()
    assert committed == reference()
