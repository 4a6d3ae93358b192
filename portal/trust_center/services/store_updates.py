"""What the platform sent of updates, and of who is told of them, becomes rows. Runs in the caller's transaction."""

from portal.lib.storable import storable
from portal.platform_api.identifiers import is_identifier
from portal.platform_api.models import showcase as remote
from portal.sync.copies import search_text, sort_key, store_copy
from portal.tenants.erased_people import is_erased, without_erased
from portal.tenants.personal_data import fold
from portal.trust_center.models import Subscriber, SubscriberGroup, SubscriberInGroup, Update
from portal.trust_center.models.subscribers import MAX_EMAIL_LENGTH, MAX_NAME_LENGTH
from portal.trust_center.models.updates import MAX_TITLE_LENGTH, MAX_WORD_LENGTH, PRIVATE, PUBLIC

MAX_TEXT_LENGTH = 50_000


def store_update(fetched: remote.Update) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    # Somebody who was told of it may have been erased.
    found = remote.Update.read(*without_erased([storable(fetched.raw)]))
    title, description = found.title[:MAX_TITLE_LENGTH], found.description[:MAX_TEXT_LENGTH]
    columns = {
        "title": title,
        "description": description,
        "category": found.category[:MAX_WORD_LENGTH],
        "is_public": found.visibility_type == PUBLIC,
        "other_readers": "" if found.visibility_type in (PUBLIC, PRIVATE) else found.visibility_type[:MAX_WORD_LENGTH],
        "created_at": found.creation_date,
        "updated_at": found.updated_date,
        "search": search_text(title, description),
        "payload": found.raw,
    }
    return store_copy(Update, found.id, columns)


def store_subscriber(fetched: remote.Subscriber) -> bool:
    """Make the row equal to what was fetched; True when it changed. Who was erased is left out (guarantee S11)."""
    found = remote.Subscriber.read(storable(fetched.raw))
    if is_erased(email=found.email, created_at=found.creation_date):
        number, _ = Subscriber.objects.filter(platform_id=found.id).delete()
        return bool(number)
    columns = {
        "email": found.email[:MAX_EMAIL_LENGTH],
        "folded_email": fold(found.email)[:MAX_EMAIL_LENGTH],
        "is_verified": found.is_email_verified,
        "created_at": found.creation_date,
        "search": search_text(found.email),
        "payload": found.raw,
    }
    is_changed = store_copy(Subscriber, found.id, columns)
    return _store_groups(found) or is_changed


def groups_of(found: remote.Subscriber) -> set[str]:
    """Return the ids of the groups that a subscriber is in, as our copy has them."""
    return {each.id for each in found.groups if is_identifier(each.id)}


def _store_groups(found: remote.Subscriber) -> bool:
    """Note in which groups a subscriber is; True when that changed."""
    wanted = groups_of(found)
    row = Subscriber.objects.only("pk").get(platform_id=found.id)
    inside = SubscriberInGroup.objects.filter(subscriber=row)
    known = set(inside.values_list("group_id", flat=True))
    if wanted == known:
        return False
    inside.exclude(group_id__in=wanted).delete()
    SubscriberInGroup.objects.bulk_create([SubscriberInGroup(subscriber=row, group_id=each) for each in sorted(wanted - known)])
    return True


def store_subscriber_group(fetched: remote.SubscriberGroup) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.SubscriberGroup.read(storable(fetched.raw))
    name = found.name[:MAX_NAME_LENGTH]
    # Who is in it stands with each subscriber; the list of their ids can be long, and is not kept twice.
    payload = {key: value for key, value in found.raw.items() if key != "subscriberIds"}
    return store_copy(SubscriberGroup, found.id, {"name": name, "name_sort": sort_key(name), "payload": payload})
