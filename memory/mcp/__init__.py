"""The door that agents use: the Model Context Protocol at /mcp, on the same verbs and the same caller as REST."""
