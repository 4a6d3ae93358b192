"""Promises in running text: sentences, numbers in digits and words, and the patterns of each term. Knows no database."""
