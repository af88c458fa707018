"""What changes records and what a project lays down, beside the verbs.

Protection, return from the superseded, settled conflicts, batches; a project's write policy and its capabilities.
"""
