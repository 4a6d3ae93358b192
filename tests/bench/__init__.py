"""Figures for the documents, printed by `make bench`: ratios within one run, never part of the tests."""
