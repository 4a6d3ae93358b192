"""What the platform sent becomes rows. Runs in the caller's transaction."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from portal.accounts.tags import tags_in
from portal.lib.storable import storable
from portal.lib.text_keys import address_key, key_of
from portal.lib.unnamed import named
from portal.library.services import note_asked, note_wordings
from portal.library.themes import theme_of_question
from portal.platform_api import models as remote
from portal.platform_api.identifiers import reference
from portal.platform_api.paging import Collected
from portal.questionnaires.answers import Answer
from portal.questionnaires.models import NO_DUE_DATE, Questionnaire, QuestionnaireTag, Response
from portal.questionnaires.services.clocks import note_status, recalculate_clocks
from portal.questionnaires.services.drafted_answers import supersede_drafts
from portal.sync.ages import is_older
from portal.tenants.erased_people import without_erased

NAME_LENGTH, STATUS_LENGTH = 500, 80
SHORT = 200
BATCH = 200
MAX_TAGS = 200
"""Of one questionnaire."""
MAX_ANSWER_LENGTH = 20_000
"""So much of an answer can be searched: PostgreSQL refuses to index texts without any limit."""


def store_questionnaire(fetched: remote.Questionnaire) -> bool:
    """Make the row equal to what was fetched; True when it changed. What is older than the row is left out (guarantee Q11)."""
    fetched = remote.Questionnaire.read(*without_erased([storable(fetched.raw)]))
    row = Questionnaire.objects.select_for_update().filter(platform_id=fetched.id).first()
    if row is None:
        row = Questionnaire.objects.create(platform_id=fetched.id, **columns_of(fetched))
        store_tags(row)
        recalculate_clocks([row])
        return True
    if is_older(fetched.updated_date, row):
        return False
    is_same = row.payload == fetched.raw and row.status == status_of(fetched) and row.gone_at is None
    if is_same and not row.is_provisional:
        return False
    before, tags, was_gone = row.status, row.tags, row.gone_at is not None
    columns = columns_of(fetched, row) | {"is_provisional": False, "gone_at": None, "touched_at": timezone.now()}
    for name, value in columns.items():
        setattr(row, name, value)
    row.save(update_fields=list(columns))
    vars(row).pop("remote", None)  # it was read from the payload of before
    if was_gone or row.tags != tags:
        store_tags(row)
    note_status(row, before=before)
    recalculate_clocks([row])
    return True


def whose_responses_are_old(fetched: Iterable[remote.Questionnaire]) -> list[str]:
    """Say which questionnaires are other ones than we have, so that their responses have to be read again. Locks nothing."""
    usable = {one.id: remote.Questionnaire.read(storable(one.raw)) for one in fetched}
    known = {row.platform_id: row for row in Questionnaire.objects.filter(platform_id__in=usable)}
    return [each for each, one in usable.items() if each not in known or _is_another(known[each], one)]


def _is_another(row: Questionnaire, fetched: remote.Questionnaire) -> bool:
    if row.unread_count or (fetched.updated_date and not row.payload.get("updatedDate")):
        return True
    if fetched.updated_date and fetched.updated_date != row.updated_at:
        return fetched.updated_date > row.updated_at
    return row.status != status_of(fetched) or row.gone_at is not None or row.responses_synced_at is None


def status_of(fetched: remote.Questionnaire) -> str:
    """Return the status as rows hold it."""
    return fetched.status[:STATUS_LENGTH]


def columns_of(fetched: remote.Questionnaire, row: Questionnaire | None = None) -> dict[str, Any]:
    """Make the columns. A date that the platform leaves out stays as it was, or is when we first saw the object."""
    owner, approver = fetched.owner_assignment, fetched.approver_assignment
    words = [fetched.display_name, fetched.type, fetched.url or "", name_of(owner)]
    return {
        "name": fetched.display_name[:NAME_LENGTH],
        "name_key": key_of(fetched.display_name),
        "url_key": address_key(fetched.url or ""),
        "search": " ".join(words).casefold(),
        "status": status_of(fetched),
        "kind": fetched.type[:40],
        "due_at": fetched.due_date,
        "due_sort": fetched.due_date or NO_DUE_DATE,
        "owner_id": owner.id if owner else "",
        "owner_name": name_of(owner),
        "approver_name": name_of(approver),
        "account_id": reference(fetched.customer_trust_account_id),
        "tags": [{"categoryId": of, "tagId": tag} for of, tag in tags_in(fetched.tag_and_category_ids)[:MAX_TAGS]],
        "created_at": fetched.created_date or (row.created_at if row else timezone.now()),
        "updated_at": fetched.updated_date or (row.updated_at if row else timezone.now()),
        "completed_at": fetched.completed_date,
        "payload": fetched.raw,
    }


def store_tags(row: Questionnaire) -> None:
    """Make the rows of a questionnaire's tags equal to what it has."""
    QuestionnaireTag.objects.filter(questionnaire=row).delete()
    QuestionnaireTag.objects.bulk_create(
        QuestionnaireTag(questionnaire=row, category_id=category_id, tag_id=tag_id) for category_id, tag_id in row.tag_ids
    )


def store_responses(questionnaire_id: str, fetched: Collected[remote.Response], *, asked_at: datetime) -> bool:
    """Make the rows equal to the list of a questionnaire's responses, in a handful of queries.

    What could not be read stays as it is, and only a whole list tells what is gone.
    """
    questionnaire = Questionnaire.objects.select_for_update().filter(platform_id=questionnaire_id).first()
    if questionnaire is None:
        return False
    known = {row.platform_id: row for row in Response.objects.filter(questionnaire=questionnaire)}
    rows, asked = list[Response](), list[Response]()
    for position, one in enumerate(_unnamed(fetched.items)):
        before = known.pop(one.id, None)
        after = response_row(one, questionnaire=questionnaire, position=position, asked_at=asked_at)
        # A person's own write may have been read back after this list was asked for (guarantee Q11).
        if before is None or (before.read_at <= asked_at and differs(before, after)):
            rows.append(after)
            if before is None or before.question_key != after.question_key:
                asked.append(after)
    upsert(rows)
    supersede_drafts(questionnaire, rows)
    # The rows know their keys only now.
    note_asked({row.pk: row.question_key for row in asked}, object_id=questionnaire.pk, at=questionnaire.created_at)
    unread = {each.id for each in fetched.unread}
    unnamed = [row for row in known.values() if row.platform_id not in unread] if fetched.is_whole else []
    vanished = [row.pk for row in unnamed if row.gone_at is None and row.read_at <= asked_at]
    if vanished:
        Response.objects.filter(pk__in=vanished).update(gone_at=timezone.now())
    is_changed = bool(rows or vanished) or questionnaire.responses_synced_at is None
    questionnaire.responses_synced_at, questionnaire.unread_count = timezone.now(), len(fetched.unread)
    recount(questionnaire, is_changed=is_changed)
    return is_changed


def store_response(questionnaire: Questionnaire, fetched: remote.Response, *, asked_at: datetime) -> Response:
    """Store one response that was read by itself; its place in the list stays. Call it in a transaction."""
    # Before the response, as in `lock_questionnaires`, and read anew: whoever counts counts what others have stored.
    questionnaire = Questionnaire.objects.select_for_update().get(pk=questionnaire.pk)
    before = Response.objects.get(questionnaire=questionnaire, platform_id=fetched.id)
    if before.read_at <= asked_at:
        [fetched] = _unnamed([fetched])
        row = response_row(fetched, questionnaire=questionnaire, position=before.position, asked_at=asked_at)
        upsert([row])
        supersede_drafts(questionnaire, [row])
        recount(questionnaire, is_changed=True)
    return Response.objects.reviewed().select_related("questionnaire").get(pk=before.pk)


def _unnamed(fetched: Iterable[remote.Response]) -> list[remote.Response]:
    """Take erased people out of who has edited and approved, in one query for all."""
    rows = list(fetched)
    raws = without_erased([each.raw for each in rows])
    return [one if one.raw is raw else remote.Response.read(raw) for one, raw in zip(rows, raws, strict=True)]


def response_row(fetched: remote.Response, *, questionnaire: Questionnaire, position: int, asked_at: datetime) -> Response:
    fetched = remote.Response.read(storable(fetched.raw))
    label, owner, answer = fetched.sequence_label or "", fetched.owner_assignment, Answer(fetched)
    answer_text = "\n".join(text for _, text in answer.given)
    return Response(
        questionnaire=questionnaire,
        platform_id=fetched.id,
        position=position,
        question=fetched.question,
        search=f"{label} {fetched.question}".casefold(),
        label=label[:80],
        section_id=reference(fetched.section_id),
        owner_id=owner.id if owner else "",
        owner_name=name_of(owner),
        is_pending=fetched.is_pending_answer_generation,
        is_answered=answer.is_given,
        is_approved=fetched.approved_by is not None,
        # A write through the API may leave no editor, but marks the answer as written by hand (platform-api 4.1.6).
        is_changed=fetched.edited_by is not None or fetched.origin_type == "MANUAL",
        origin=(fetched.origin_type or "")[:80],
        question_key=key_of(fetched.question),
        theme=theme_of_question(fetched.question),
        answer_text=answer_text[:MAX_ANSWER_LENGTH],
        answer_key=key_of(answer_text),
        answer_digest=answer.digest,
        payload=fetched.raw,
        read_at=asked_at,
    )


def differs(before: Response, after: Response) -> bool:
    return before.gone_at is not None or any(getattr(before, name) != getattr(after, name) for name in TOLD_APART)


TOLD_APART = ("payload", "position", "question_key", "answer_key", "answer_digest", "theme")
"""The last four are made of the payload, by rules that may have changed since the row was written."""
OURS = ("id", "tenant", "questionnaire", "platform_id", "asked", "draft_confidence")
"""What the platform does not tell."""
COLUMNS = [field.name for field in Response._meta.concrete_fields if field.name not in OURS]


def upsert(rows: list[Response]) -> None:
    Response.objects.bulk_create(
        rows,
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["questionnaire", "platform_id"],
        update_fields=COLUMNS,
    )
    note_wordings(row.question for row in rows)


def recount(questionnaire: Questionnaire, *, is_changed: bool) -> None:
    """Count the responses again: the platform gives no counters (platform-api 4.1.3)."""
    counts = (
        Response.objects.present()
        .filter(questionnaire=questionnaire)
        .aggregate(
            question_count=Count("id"),
            answered_count=Count("id", filter=Q(is_answered=True)),
            approved_count=Count("id", filter=Q(is_approved=True)),
            pending_count=Count("id", filter=Q(is_pending=True)),
        )
    )
    for name, value in counts.items():
        setattr(questionnaire, name, value)
    if is_changed:
        questionnaire.touched_at = timezone.now()
    questionnaire.save(update_fields=[*counts, "unread_count", "responses_synced_at", "touched_at"])


def name_of(assignment: remote.Assignment | None) -> str:
    """Call the owner by name; a team without one by its id, so that it is not taken for nobody."""
    return named(assignment.display_name)[:SHORT] if assignment else ""
