"""How texts and addresses are spelled so that two spellings of them are equal."""

import unicodedata

from portal.tenants.personal_data import fold

ANONYMOUS = "Anonymous visitors"


def domain_of(address: str) -> str:
    """Return the mail domain of an address, folded; empty when there is none, or none that can stand in an address."""
    domain = fold(address).rpartition("@")[2].strip(".") if "@" in address else ""
    return domain if all(letter.isalnum() or letter in ".-_" for letter in domain) else ""


def folded(text: str) -> str:
    """Spell a text as its words alone: no case, no punctuation, one form of each letter.

    One space stands before and behind every word, so that "whole words only" is a search for a part of the text.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    words = "".join(letter if letter.isalnum() else " " for letter in plain).split()
    return f" {' '.join(words)} " if words else ""
