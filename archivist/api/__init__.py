"""REST: what the archivist decided, shown."""
