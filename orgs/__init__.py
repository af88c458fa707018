"""Who belongs to what, and what they may do there."""
