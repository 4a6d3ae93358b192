"""The customer trust portal. The rooms and who may import whom: `docs/rooms.md`; the rule itself: `pyproject.toml`."""
