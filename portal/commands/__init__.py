"""Search and commands over all desks: what the box at the top finds, offers and opens."""
