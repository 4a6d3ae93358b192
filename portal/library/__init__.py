"""The tenant's answer library: what was said before, and whether it is still true."""
