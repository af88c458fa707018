"""The review queue: what waits in it as each caller sees it, what reviewers decide, and how it becomes a record."""
