"""Which account on the platform is this? No endpoint names it, so it is told by its people, who have ids of their own there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.crypto import salted_hmac

from portal.connections.models import AccountMark, Connection, State
from portal.lib.counted import counted
from portal.lib.storable import storable_text
from portal.platform_api import Platform
from portal.platform_api.errors import PlatformError
from portal.tenants.scope import all_tenants, current_tenant_id

MARKS = 50
"""People whose ids are remembered; enough to know an account again after some have left."""
DOMAINS_NAMED = 2

ELSEWHERE = "This platform account is already connected to another tenant of this portal. Use it only if that is intended."
ANOTHER = (
    "This looks like a different platform account than the one connected before. Its data would be mixed with the data here."
)


@dataclass(frozen=True)
class Identity:
    """What is known of an account. Empty when the grant does not cover its people."""

    digests: Sequence[str] = ()
    description: str = ""


def identify(client: Platform) -> Identity:
    """Ask for the people of an account; one call. A grant that does not cover them, or an outage, leaves it unknown."""
    try:
        users = client.users.all.page().items
    except PlatformError:
        return Identity()
    digests = [salted_hmac("portal.connections.accounts", user.id, algorithm="sha256").hexdigest() for user in users[:MARKS]]
    addresses = (storable_text(user.email) for user in users)
    domains = Counter(address.rpartition("@")[2].lower() for address in addresses if "@" in address)
    named = [domain for domain, _ in domains.most_common(DOMAINS_NAMED)]
    return Identity(digests, f"{' and '.join(named)} ({counted(len(users), 'person', 'people')})" if named else "")


def clash(identity: Identity) -> str:
    """Say why the account needs a second look; empty when it does not, or when nothing is known of it."""
    if not identity.digests:
        return ""
    own = current_tenant_id()
    with all_tenants("whether another tenant has the same account can only be seen over all"):
        others = AccountMark.objects.filter(digest__in=identity.digests).exclude(tenant_id=own)
        connected = Connection.objects.filter(tenant_id__in=others.values("tenant_id")).exclude(state=State.DISCONNECTED)
        if connected.exists():
            return ELSEWHERE
    return ANOTHER if is_another(identity) else ""


def is_another(identity: Identity) -> bool:
    """Say whether it is another account than the one before, as far as both are known."""
    known = set(AccountMark.objects.values_list("digest", flat=True))
    return bool(known and identity.digests) and known.isdisjoint(identity.digests)


def remember(identity: Identity) -> None:
    """Keep the marks of the account of the tenant in scope. Runs in the caller's transaction."""
    if identity.digests:
        AccountMark.objects.all().delete()
        AccountMark.objects.bulk_create([AccountMark(digest=digest) for digest in sorted(set(identity.digests))])
