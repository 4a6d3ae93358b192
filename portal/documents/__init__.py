"""The compliance programme's documents: the evidence it asks for, its files and links, and when it has to be renewed.

Not the documents of the Trust Center: those are what visitors read, and belong to `trust_center`.
"""
