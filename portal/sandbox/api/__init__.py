"""The platform's HTTP API: one table of endpoints (`table.py`) and one way through it (`dispatch.py`)."""
