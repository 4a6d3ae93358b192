"""What a member has opened last: kept by the pages of objects, offered first by the search."""

from collections import defaultdict

from django.db import transaction

from portal.commands.models import Recent
from portal.saved_views.found import Found, openable
from portal.tenants.models import Membership

KEPT = 12
MAX_ID_LENGTH = 500


@transaction.atomic
def note_opened(kind: str, object_id: str, *, member: Membership) -> None:
    """Put an object at the front of what somebody has opened; what nobody knows is left out."""
    page = openable(kind)
    if page is None or not member.may(page.role) or len(object_id) > MAX_ID_LENGTH or not page.titles([object_id]):
        return
    Recent.objects.bulk_create([Recent(user_id=member.user_id)], ignore_conflicts=True)
    recent = Recent.objects.select_for_update().get(user=member.user_id)
    others = [each for each in recent.objects_opened if each != [kind, object_id]]
    recent.objects_opened = [[kind, object_id], *others][:KEPT]
    recent.save(update_fields=["objects_opened"])


def recently_opened(member: Membership) -> list[Found]:
    """Return those of these objects that are still there, the last one first."""
    recent = Recent.objects.filter(user=member.user_id).first()
    ids: dict[str, list[str]] = defaultdict(list)
    for kind, object_id in recent.objects_opened if recent else ():
        ids[kind].append(object_id)
    pages = {kind: page for kind in ids if (page := openable(kind)) and member.may(page.role)}
    titles = {kind: page.titles(ids[kind]) for kind, page in pages.items()}
    slug = member.tenant.slug
    return [
        Found(title, pages[kind].label.capitalize(), pages[kind].url(slug, object_id))
        for kind, object_id in (recent.objects_opened if recent else ())
        if (title := titles.get(kind, {}).get(object_id))
    ]
