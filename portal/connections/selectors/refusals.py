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
        "It was refused on the platform's page, and nothing was connected. Was your account not listed there? The page of "
        "{region} lists only its own accounts. If yours lives in another region, choose that one and connect again.",
    ),
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
        "The platform did not accept its code",
        "A code lives 30 seconds, works once, and works only in its own region. Nothing was connected. Check that your account "
        "lives in {region}, then connect again.",
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
        "Somebody else answered",
        "The answer calls its sender {issuer}; for {region} this portal expects {expected}. Nothing was connected. If that is "
        "what the platform calls itself, the portal's operator has to say so in PLATFORM_ISSUERS.",
    ),
    "region": Refusal(
        "Your account lives in {other}",
        "You chose {region}, and the answer came from {other}. Nothing was connected. Choose {other} and connect again.",
    ),
    "unavailable": Refusal(
        "The platform does not answer", f"Nothing was connected. Try again in a few minutes. {MAY_BE_GRANTED}"
    ),
    "unreadable": Refusal(
        "The platform's answer could not be read",
        f"It answered with something that is no token. Nothing was connected. Try again in a few minutes. {MAY_BE_GRANTED}",
    ),
    "incomplete": Refusal(
        "The platform's answer was incomplete",
        "It held a token that ends within the hour and none to renew it with. Nothing was connected, and that token is being "
        "ended. The portal's operator has to check its registration on the platform.",
    ),
    "registration": Refusal(
        "The platform does not accept this portal",
        "The portal's operator has to check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET. Nothing was connected.",
    ),
    "scope": Refusal(
        "The platform does not grant these scopes",
        "They are more than this portal is registered for. The portal's operator has to check PLATFORM_SCOPES. Nothing was "
        "connected.",
    ),
    "address": Refusal(
        "This portal's address of the platform is wrong",
        "It leads elsewhere. The portal's operator has to correct PLATFORM_API_URL. Nothing was connected.",
    ),
    "platform": Refusal(
        "The platform ended the sign-in",
        "It sent you back with an error and without a grant. Nothing was connected. Try again; if it stays so, tell the "
        "portal's operator.",
    ),
}
UNKNOWN = Refusal("Not connected", "The platform sent you back without a grant. Start again from the connection page.")

WAITS = {
    "tries": Refusal(
        "You have started ten connects in ten minutes",
        "That is this portal's own limit for one person. The next one can be started in {wait}.",
    ),
    "busy": Refusal(
        "The portal's own token limit is reached",
        "The platform issues five tokens a minute to all tenants of this portal, and the portal keeps to that. Connecting will "
        "be ready in {wait}.",
    ),
    "limited": Refusal(
        "The platform asks for a pause", "Its rate limit for tokens is reached. Connecting will be ready in {wait}."
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
