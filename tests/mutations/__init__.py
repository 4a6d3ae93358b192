"""Faults planted into the code one by one, to see whether a test notices: run by hand, never part of the suite.

`python -m tests.mutations audit [--all] [room ...]` leaves out one audit row at a time (guarantee R8).
"""
