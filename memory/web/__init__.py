"""Pages about records: they parse, make one call, render."""
