"""The public holidays of countries, as a library keeps them."""

from datetime import date

from holidays import country_holidays
from holidays.registry import COUNTRIES

SMALL_WORDS = {"And": "and", "Of": "of", "The": "the"}


def countries() -> list[tuple[str, str]]:
    """Return code and name of every country that is known, by name."""
    named = ((classes[1], _name(module)) for module, classes in COUNTRIES.items())
    return sorted(named, key=lambda country: country[1])


def public_holidays(country: str, year: int) -> dict[date, str]:
    """Return the holidays that a whole country has in a year, in English where the library knows it."""
    return dict(sorted(country_holidays(country, years=year, language="en_US").items()))


def _name(module: str) -> str:
    words = module.replace("_", " ").title().split()
    return " ".join([words[0], *(SMALL_WORDS.get(word, word) for word in words[1:])])
