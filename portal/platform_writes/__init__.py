"""Writes to the platform that every desk makes in the same way: settled by looking, and made to many objects turn by turn."""
