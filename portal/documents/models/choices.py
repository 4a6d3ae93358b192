"""The lists of the platform for documents, and what pages call their values (platform-api 4.11). All are open."""

NEEDED, OUTDATED, IRRELEVANT, FINE = "Needs document", "Needs update", "Not relevant", "OK"
STATUSES = {NEEDED: "bad", OUTDATED: "warn", IRRELEVANT: "muted", FINE: "good"}
"""Each status with its tone. They are words already, with spaces."""
TO_DO = (NEEDED, OUTDATED)
CADENCES = {
    "P0D": "Once",
    "P1D": "Every day",
    "P1W": "Every week",
    "P1M": "Every month",
    "P3M": "Every 3 months",
    "P6M": "Every 6 months",
    "P1Y": "Every year",
    "P2Y": "Every 2 years",
}
REMINDER_DAYS = {"P0D": 0, "P1D": 1, "P1W": 7, "P1M": 30, "P3M": 91}
"""How long before its day a document is to be renewed, as the platform's reminder says it."""
USUAL_REMINDER_DAYS = 30
"""Where the platform names no reminder, or one that is not known here."""


def cadence_label(cadence: str) -> str:
    """Say how often a document is renewed."""
    return CADENCES.get(cadence, cadence)
