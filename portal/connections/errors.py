"""What keeps a call from being made: no grant, no token yet, no Trust Center."""

from typing import Any

from portal.platform_api.errors import Party, TemporaryError

KEY_MISSING = "An encryption key of the portal is missing. Its operator has to put it back."


class NotConnected(Exception):
    """There is no working grant. A person has to connect or reconnect."""

    party = Party.CONNECTION


class KeyMissing(NotConnected):
    """No configured key opens the tokens: nothing is wrong with the grant, and nothing is overwritten (guarantee T12)."""

    party = Party.PORTAL

    def __init__(self) -> None:
        super().__init__(KEY_MISSING)


class NoTrustCenter(Exception):
    """The tenant's Trust Center slugId is not known yet: no endpoint tells it, an event or a person does."""

    party = Party.CONNECTION


class TokenWait(TemporaryError):
    """No token for now: five calls a minute are all that the token endpoint takes, and the portal keeps to that.

    `party` is somebody else where it is not the portal's own rule that makes the caller wait; `because` is the reason in words.
    """

    retry_after: float

    def __init__(self, message: str, *, retry_after: float, party: Party = Party.TOKEN_RULE, because: str = "") -> None:
        super().__init__("POST", "/oauth/token", message=message, retry_after=retry_after)
        self.party = party
        self.because = because


class BudgetSpent(TokenWait):
    """No call to the token endpoint is left for now; `retry_after` says for how long."""

    def __init__(self, wait_seconds: float, **reasons: Any) -> None:
        super().__init__(f"no call to the token endpoint is left for {wait_seconds:.0f} s", retry_after=wait_seconds, **reasons)


class TokenBusy(TokenWait):
    """The token is being fetched elsewhere, or waits for its turn, and did not arrive in time."""
