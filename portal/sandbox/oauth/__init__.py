"""The consent screen, the token endpoint and everything that is known about tokens (specification 3.6, 4.4-4.6, 5)."""
