"""Why a connect did not work out, in words, with the way on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """Why a connect did not work out, in words."""

    title: str
    text: str


REFUSALS = {
    "refused": Refusal("Access was not granted", "On the platform's page somebody chose to refuse. Nothing was connected."),
    "state": Refusal(
        "This link cannot be used",
        "It was used before, or it did not start in this portal. Start again from the connection page.",
    ),
    "expired": Refusal(
        "That took too long", "A connect has to be finished within ten minutes. Start again; it takes a minute."
    ),
    "browser": Refusal(
        "Another browser", "A connect has to end in the browser and sign-in it was started in. Start again here."
    ),
    "role": Refusal("Only an owner can connect", "Ask an owner of the tenant to connect it."),
    "code": Refusal(
        "The code was no longer valid",
        "The platform's code lives 30 seconds and works once. Nothing was lost; start again.",
    ),
    "busy": Refusal(
        "The platform takes no more sign-ins this minute",
        "It accepts five a minute in all. Wait a minute, then start again.",
    ),
    "issuer": Refusal(
        "The answer came from somewhere else",
        "It was not the region that was asked. Nothing was connected. Start again and choose the region of your account.",
    ),
    "unavailable": Refusal("The platform does not answer", "Nothing was connected. Try again in a few minutes."),
    "platform": Refusal(
        "The platform did not accept this portal",
        "The portal's registration has to be checked by its operator. Nothing was connected.",
    ),
}
UNKNOWN = Refusal("Not connected", "The platform sent you back without a grant. Start again from the connection page.")


def refusal(reason: str) -> Refusal:
    """Return the words for a reason; an unknown one, typed into the address, gets a neutral text."""
    return REFUSALS.get(reason, UNKNOWN)
