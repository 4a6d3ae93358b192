"""Who must be told of an incident, in which order and until when, and the log of who was told.

The promises themselves belong to `commitments`.
"""
