"""The customer trust portal. The rooms and who may import whom: `docs/rooms.md`; the rule itself: `pyproject.toml`."""

__version__ = "0.2.0"
