"""Everything that changes an organization. Each operation checks who asks, opens the organization's
transaction, and leaves an audit event; none is reachable with an API key unless it says so."""
