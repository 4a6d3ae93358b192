"""Copies of an installation without servers, putting one back, and what a restored database needs before it goes on.

PostgreSQL is copied by its own tools (docs/operating.md); only the last of the three is for both.
"""
