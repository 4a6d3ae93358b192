"""Why a connect did not work out, in words, with the way on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """Why a connect did not work out, in words."""

    title: str
    text: str


@dataclass(frozen=True)
class Attempt:
    """What is known of the attempt. Its names may stand in the texts, in braces."""

    region: str = "the region you chose"
    issuer: str = "something that cannot be shown"
    expected: str = "another name"
    other: str = "another region"
    """The region whose issuer answered."""


MAY_BE_GRANTED = "If the platform lists this portal as connected anyway, remove it there."

REFUSALS = {
    "refused": Refusal(
        "Access was not granted",
        "Access was refused on the platform's page, so nothing was connected. If your account was not listed: the page for "
        "{region} lists only its own accounts. If yours is in another region, choose that region and connect again.",
    ),
    "state": Refusal(
        "This link cannot be used",
        "It was used before, or it did not start in this portal. Start again from the connection page.",
    ),
    "expired": Refusal(
        "That took too long", "You have ten minutes to finish connecting. Start again; it takes about a minute."
    ),
    "browser": Refusal(
        "Different browser", "Finish connecting in the browser and sign-in where you started. Start again here."
    ),
    "role": Refusal("Only an owner can connect", "Ask an owner of the tenant to connect it."),
    "code": Refusal(
        "The platform did not accept its code",
        "A code is valid once, for 30 seconds, in its own region only. Nothing was connected. Check that your account "
        "is in {region}, then connect again.",
    ),
    "busy": Refusal(
        "The portal's own token limit is reached",
        "The platform issues five tokens a minute to all tenants of this portal, and the portal keeps to that. Nothing was "
        "connected. Wait a minute, then connect again.",
    ),
    "limited": Refusal(
        "The platform asks for a pause",
        "Its rate limit for tokens is reached. Nothing was connected. Wait a few minutes, then connect again.",
    ),
    "issuer": Refusal(
        "Unexpected sender",
        "The answer names {issuer} as its sender; for {region}, this portal expects {expected}. Nothing was connected. If it "
        "is the platform's own name, the portal's operator has to add it to PLATFORM_ISSUERS.",
    ),
    "region": Refusal(
        "Your account is in {other}",
        "You chose {region}, but the answer came from {other}. Nothing was connected. Choose {other} and connect again.",
    ),
    "unavailable": Refusal(
        "The platform does not answer", f"Nothing was connected. Try again in a few minutes. {MAY_BE_GRANTED}"
    ),
    "unreadable": Refusal(
        "The platform's answer could not be read",
        f"It answered with something other than a token. Nothing was connected. Try again in a few minutes. {MAY_BE_GRANTED}",
    ),
    "incomplete": Refusal(
        "The platform's answer was incomplete",
        "It held a token that expires within the hour and no refresh token. Nothing was connected, and that token is being "
        "ended. The portal's operator has to check its registration on the platform.",
    ),
    "registration": Refusal(
        "The platform does not accept this portal",
        "The portal's operator has to check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET. Nothing was connected.",
    ),
    "scope": Refusal(
        "The platform does not grant these scopes",
        "This portal is not registered for all of them. The portal's operator has to check PLATFORM_SCOPES. Nothing was "
        "connected.",
    ),
    "address": Refusal(
        "This portal's address of the platform is wrong",
        "It redirects elsewhere. The portal's operator has to correct PLATFORM_API_URL. Nothing was connected.",
    ),
    "platform": Refusal(
        "The platform ended the sign-in",
        "It sent you back with an error and without a grant. Nothing was connected. Try again; if it keeps happening, tell the "
        "portal's operator.",
    ),
}
UNKNOWN = Refusal("Not connected", "The platform sent you back without a grant. Start again from the connection page.")

WAITS = {
    "tries": Refusal(
        "You started to connect ten times in ten minutes",
        "That is this portal's own limit for one person. You can try again in {wait}.",
    ),
    "busy": Refusal(
        "The portal's own token limit is reached",
        "The platform issues five tokens a minute to all tenants of this portal, and the portal keeps to that. Connecting will "
        "be possible in {wait}.",
    ),
    "limited": Refusal(
        "The platform asks for a pause", "Its rate limit for tokens is reached. Connecting will be possible in {wait}."
    ),
}
"""Why somebody is held back before the consent screen."""


def refusal(reason: str, attempt: Attempt | None = None) -> Refusal:
    """Return the words for a reason; an unknown one, typed into the address, gets a neutral text."""
    words = REFUSALS.get(reason, UNKNOWN)
    facts = vars(attempt or Attempt())
    return Refusal(words.title.format(**facts), words.text.format(**facts))


def held_back(reason: str, wait: str) -> Refusal:
    """Return the words for whoever has to wait before the consent screen."""
    words = WAITS[reason]
    return Refusal(words.title, words.text.format(wait=wait))
