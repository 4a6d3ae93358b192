"""Outgoing events: who listens, what was sent, signatures, the retry schedule (specification 6, platform-api 3)."""
