"""Interest: what visitors of the Trust Center look at, fetch and ask. Reads from the platform and never writes there."""
