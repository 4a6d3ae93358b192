"""What the answer library is told of this desk: where its entries went, and answers that are worth keeping."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from portal.library.asked import Answer
from portal.library.models import MAX_ANSWER, MAX_QUESTION, MAX_SHORT, Entry, LabelKind, Origin, Variant
from portal.library.services import EntryContent, add_entry, change_entry, lasting, note_uses
from portal.library.typed import REVIEW_AFTER
from portal.library.uses import UsedIn
from portal.questionnaires.account_names import account_names
from portal.questionnaires.answers import Kind
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants.models import Membership
from portal.users.models import User

RESPONSE = "response"
CHOSEN = (Kind.CHOICE, Kind.CHOICES, Kind.BOOLEAN, Kind.NUMBER)


def used_in(keys: Collection[int], slug: str) -> Mapping[int, UsedIn]:
    """Say of answers what they are of, for the pages of the library. One of a deleted questionnaire is gone as well."""
    rows = list(
        Response.objects.present()
        .filter(pk__in=keys, questionnaire__gone_at=None)
        .select_related("questionnaire")
        .defer("payload", "questionnaire__payload")
    )
    customers = account_names(row.questionnaire.account_id for row in rows)
    return {
        row.pk: UsedIn(
            title=str(row.questionnaire),
            url=reverse("questionnaires:response", args=[slug, row.questionnaire.platform_id, row.platform_id]),
            customer=customers.get(row.questionnaire.account_id, ""),
            at=_sent_at(row.questionnaire),
        )
        for row in rows
    }


def _sent_at(questionnaire: Questionnaire) -> datetime | None:
    """Return when a questionnaire was finished, so that its answers cannot be changed any more."""
    return (questionnaire.completed_at or questionnaire.updated_at) if questionnaire.is_over else None


def note_inserted(response: Response, keys: Collection[int], *, member: Membership) -> list[int]:
    """Note which entries a saved answer was made of, and return them. Call it in a transaction."""
    if not keys:
        return []
    return note_uses(keys, kind=RESPONSE, object_id=response.pk, answer=response.answer_text, member=member)


def keep_answer(response: Response, *, member: Membership) -> tuple[Entry, bool]:
    """Keep an answer in the library; return its entry, and whether it is new: a question that is there already stays as it is.

    Raises PermissionDenied.
    """
    with transaction.atomic():
        if known := Entry.objects.own().worded([response.question_key]).order_by("pk").first():
            return known, False
        content = _entry_content(response, owner=member.user)
        entry = add_entry(content, member=member, origin=Origin.ANSWER, review_on=timezone.localdate() + REVIEW_AFTER)
        note_uses([entry.pk], kind=RESPONSE, object_id=response.pk, answer=response.answer_text, member=member)
    return entry, True


def keep_true_answer(response: Response, *, member: Membership) -> tuple[Entry, bool]:
    """Make an answer what the library says to its question, whatever it said before; call it in a transaction.

    Return its entry, and whether that expires no longer: an expiry that is near or over is taken off, as by verifying.
    Raises PermissionDenied.
    """
    review_on = timezone.localdate() + REVIEW_AFTER
    known, is_lasting = _entry_for(response.question_key), False
    if known is None:
        entry = add_entry(_entry_content(response, owner=member.user), member=member, origin=Origin.ANSWER, review_on=review_on)
    else:
        said = _entry_content(response, owner=known.owner or member.user)
        labels = list(known.labels.all())
        content = replace(
            said,
            question=known.question,
            language=known.language,
            variants=[(each.question, each.is_reversed) for each in known.variants.all()],
            tags=[each.name for each in labels if each.kind == LabelKind.TAG],
            products=[each.name for each in labels if each.kind == LabelKind.PRODUCT],
            expires_on=lasting(known.expires_on),
        )
        is_lasting = known.expires_on is not None and content.expires_on is None
        entry = change_entry(known, content, review_on=review_on, member=member)
    note_uses([entry.pk], kind=RESPONSE, object_id=response.pk, answer=response.answer_text, member=member)
    return entry, is_lasting


def _entry_for(question_key: str) -> Entry | None:
    """Return the entry whose own question this is, else one that lists it and does not ask for the contrary."""
    own = Entry.objects.own().filter(wording__key=question_key).order_by("pk").first()
    straight = Variant.objects.filter(wording__key=question_key, is_reversed=False).values("entry")
    return own or Entry.objects.filter(pk__in=straight).order_by("pk").first()


def _entry_content(response: Response, *, owner: User) -> EntryContent:
    """Return what an entry of this answer says."""
    answer = answer_of(response)
    return EntryContent(question=response.question[:MAX_QUESTION], short=answer.short, text=answer.text, owner=owner)


def answer_of(response: Response) -> Answer:
    """Part an answer as an entry has it: what was chosen or counted, and what was written."""
    chosen = [part.text for part in response.answer.parts if part.kind in CHOSEN and not part.is_empty(part.value)]
    short = ", ".join(" ".join(words.split()) for words in chosen)
    is_short = len(short) <= MAX_SHORT
    rest = [text for _, text in response.answer.given if not (is_short and text in chosen)]
    return Answer(short=short if is_short else "", text="\n\n".join(rest)[:MAX_ANSWER])
