"""The platform's rate limits as a caller sees them (specification 8, platform-api 1.5)."""

from collections.abc import Callable
from typing import Final

MANAGEMENT: Final = "management"
CONTRACTS: Final = "contracts"
INTEGRATION: Final = "integration"
"""What an integration's own scopes open, asked for with an integration's token: documents and their files."""
AUDITOR: Final = "auditor"
AUDITOR_WRITES: Final = "auditor_writes"
AUDITOR_LISTED: Final = "auditor_listed"
AUDITOR_COMMENTS: Final = "auditor_comments"
EVIDENCE_URLS: Final = "evidence_urls"

CALLS_A_MINUTE: Final = {
    MANAGEMENT: 50,
    CONTRACTS: 10,
    INTEGRATION: 20,
    AUDITOR: 250,
    AUDITOR_WRITES: 10,
    AUDITOR_LISTED: 50,
    AUDITOR_COMMENTS: 25,
    EVIDENCE_URLS: 600,
}

type Gate = Callable[[str], None]
"""Asked with the bucket before every call leaves. Raises CallLimitReached when the call has to wait."""
