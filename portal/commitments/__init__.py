"""What the contracts of customers promise, term by term, what is our standard, and where the two differ.

Nothing of this exists on the platform. A suggestion read from a text counts for nothing until a person has accepted it.
"""
