"""What changes records beside the verbs: protection, return from the superseded, settled conflicts, batches."""
