"""What the door MCP really offers: the names in its registry of tools."""

from memory.mcp.tools import TOOLS
from memory.protocol.conformance import Surface


def mcp_surface() -> Surface:
    """Return the door MCP, from the real registry."""
    return Surface("MCP", frozenset(TOOLS))
