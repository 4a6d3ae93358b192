"""Telling those who follow a word: what was asked meanwhile, put together for each of them."""

from collections import Counter
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, Min, OuterRef
from django.urls import reverse
from django.utils import timezone

from portal.notifications.kinds import ASKED
from portal.notifications.services import notify
from portal.tenants.scope import all_tenants
from portal.tenants.turns import serve_in_turn
from portal.trust_center_activity.models import Notice
from portal.trust_center_activity.normalization import ANONYMOUS

GATHERED = timedelta(minutes=10)
"""A notice waits so long for others, so that a conversation of twenty messages is told once."""
MIN_PAUSE = timedelta(hours=1)
"""However much is asked, nobody is told more often than that about one tenant."""
MAX_TOLD = 50


def tell_followers() -> int:
    """Tell those whose notices are due, in every tenant; return how many."""
    now = timezone.now()
    with all_tenants("notices that are due are found over all tenants"):
        # Whoever was told within the hour is left out: they would take the places of those who can be told.
        told = Notice.objects.filter(tenant=OuterRef("tenant"), user=OuterRef("user"), told_at__gt=now - MIN_PAUSE)
        due = Notice.objects.filter(~Exists(told), told_at__isnull=True, made_at__lte=now - GATHERED).order_by()
        people = due.values("tenant_id", "user_id").annotate(first=Min("made_at")).order_by("first")
        found = list(people.values_list("tenant_id", "user_id")[:MAX_TOLD])
    return serve_in_turn(found, _tell, what="telling a follower")


@transaction.atomic
def _tell(user_id: int) -> bool:
    """Claim what waits for one follower, and tell it."""
    claimed = _claim(user_id)
    if not claimed:
        return False
    notify(
        ASKED,
        [user_id],
        key=f"asked:{claimed[-1].pk}",
        title=f"Visitors asked about {_words(claimed)}",
        text=" · ".join(_lines(claimed)),
        url=lambda slug: reverse("trust_center_activity:overview", args=[slug]),
    )
    return True


def _claim(user_id: int) -> list[Notice]:
    now = timezone.now()
    mine = Notice.objects.filter(user_id=user_id)
    if mine.filter(told_at__gt=now - MIN_PAUSE).exists():
        return []
    waiting = mine.select_for_update(of=("self",)).filter(told_at__isnull=True)
    claimed = list(waiting.select_related("mention__word").order_by("pk"))
    # Whoever claims first changes the rows; a second worker finds none of them waiting.
    Notice.objects.filter(pk__in=[notice.pk for notice in claimed], told_at__isnull=True).update(told_at=now)
    return claimed


def _lines(notices: list[Notice]) -> list[str]:
    """Say what was asked from where, and how often; nobody's name and nobody's words."""
    asked = Counter((notice.mention.word.text, notice.mention.domain) for notice in notices)
    return [
        f"“{word}”, from {domain or ANONYMOUS.lower()}: {number} time{'' if number == 1 else 's'}"
        for (word, domain), number in sorted(asked.items())
    ]


def _words(notices: list[Notice]) -> str:
    words = sorted({notice.mention.word.text for notice in notices})
    others = len(words) - 2
    return " ".join(", ".join(words[:2]).split())[:120] + (f" and {others} more" if others > 0 else "")
