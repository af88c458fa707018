"""One file per family of secrets; each detector reads a text and yields findings."""
