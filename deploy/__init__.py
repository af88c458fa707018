"""Everything needed to run Palimpsest; the product itself never imports this package."""
