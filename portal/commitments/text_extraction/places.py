"""Where data stay: the regions and countries that contracts name."""

import re
from typing import Final

REGIONS: Final = {
    "European Economic Area": r"European\s+Economic\s+Area(?:\s*\(\W?EEA\W?\))?|EEA|EU\s*/\s*EEA",
    "European Union": r"European\s+Union(?:\s*\(\W?EU\W?\))?|EU|Member\s+States?",
    "United Kingdom": r"United\s+Kingdom|U\.?K\.?(?=[\s,.;)]|$)",
    "United States": r"United\s+States(?:\s+of\s+America)?|USA|U\.S\.A?\.?|US(?=[\s,.;)]|$)",
    "Switzerland": "Switzerland",
    "Germany": r"(?:Federal\s+Republic\s+of\s+)?Germany",
    "France": "France",
    "Ireland": r"(?:Republic\s+of\s+)?Ireland",
    "Netherlands": "Netherlands",
    "Canada": "Canada",
    "Australia": "Australia",
    "Japan": "Japan",
    "Singapore": "Singapore",
    "India": "India",
    "Brazil": "Brazil",
}
_REGION: Final = "|".join(f"(?P<r{number}>{pattern})" for number, pattern in enumerate(REGIONS.values()))
PLACE: Final = re.compile(
    r"\b(?P<where>(?i:within|inside|in|outside(?:\s+of)?|beyond|out\s+of|from))\s+(?i:(?:(?:data\s+)?cent(?:er|re)s?|regions?|facilities|servers?)"
    r"\s+(?:located\s+)?(?:in|within)\s+)?(?i:(?:the\s+)?(?:territory|borders|member\s+states?|countries)\s+of\s+)?(?:the\s+|The\s+)?"
    rf"(?:{_REGION})(?!\w)(?!\s+(?i:law|laws|data\s+protection|general|regulation|directive|standard|representative|model|commission|member\s+state\s+law|court))"
)
"""Names begin with capitals here: `us` is no country."""
STAYS: Final = re.compile(
    r"\b(?:stor(?:e|es|ed|age|ing)|process(?:es|ed|ing)?|host(?:s|ed|ing)?|resid(?:e|es|ency|ing)|locat(?:e|ed|ion)|transfer(?:s|red|ring)?|"
    r"remains?|kept|keeps?|maintain(?:s|ed)?|export(?:ed)?|mov(?:e|ed))\b",
    re.IGNORECASE,
)
PEOPLE: Final = re.compile(
    r"\b(?:data\s+subjects?|individuals?|persons?|people|residents?|users?|customers?|clients?|citizens?|employees?)\s+(?:who\s+are\s+)?"
    r"(?:located\s+|residing\s+|based\s+|established\s+)?(?:within|in|outside(?:\s+of)?|from)\s+(?:the\s+)?\w+",
    re.IGNORECASE,
)
OFFICE: Final = re.compile(
    r"\b(?:registered|incorporated|organi[sz]ed|established|domiciled|principal\s+place|headquarter\w*|governed|courts?|jurisdiction|laws?)\b[^.]{0,60}$",
    re.IGNORECASE,
)
OUTSIDE: Final = ("outside", "beyond", "out", "from")
FORBIDS: Final = re.compile(r"\b(?:not|no|never|without|prohibit\w*|neither|nor)\b", re.IGNORECASE)


def place_of(text: str) -> tuple[str, int] | None:
    """Find where data stay, and where that stands in the text: `within the European Union`."""
    if not STAYS.search(text):
        return None
    for match in PLACE.finditer(text):
        ahead = text[: match.start()]
        if OFFICE.search(ahead) or any(each.start() < match.end() <= each.end() + 40 for each in PEOPLE.finditer(text)):
            continue
        is_outside = match["where"].lower().split()[0] in OUTSIDE
        if is_outside and not FORBIDS.search(ahead):
            # `Data may be transferred outside the EU` is the opposite of a promise to keep them there.
            continue
        return f"within {_named(match)}", match.start()
    return None


def _named(match: re.Match[str]) -> str:
    name = next(name for number, name in enumerate(REGIONS) if match[f"r{number}"])
    return f"the {name}" if name.startswith(("European", "United", "Netherlands")) else name
