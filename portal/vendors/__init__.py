"""The tenant's vendors: how risky they are, when they are reviewed next, what was found, and what was decided about them."""
