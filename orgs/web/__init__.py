"""Pages about organizations, and what all pages share: signing in, the place one works in, problems."""
