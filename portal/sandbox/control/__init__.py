"""The control interface: JSON, for tests and the demo only, absent unless the sandbox was started with it (design 4)."""
