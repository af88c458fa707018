"""REST: parses, makes one call, renders."""
