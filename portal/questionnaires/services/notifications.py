"""Who is told of a change, made here or brought by the sync: the member whom the platform's new owner or approver is."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone

from portal.notifications.kinds import ASSIGNED, QUESTIONNAIRES
from portal.notifications.services import notify
from portal.questionnaires.changes import Change
from portal.questionnaires.models import ExpertLink, Questionnaire
from portal.questionnaires.services.owners import member_named
from portal.questionnaires.stages import REVIEWED
from portal.sync.copies import locked_in_order
from portal.tenants.models import Membership
from portal.users.dates import stored
from portal.work_items.kinds import Item

MAX_SINGLE = 3
"""More that come at once are one notification."""
TOGETHER = "%Y-%m-%d %H"
"""Forty questions that somebody assigns within an hour are one notification."""


def tell_assigned(questionnaire: Questionnaire, change: Change, *, member: Membership) -> None:
    """Tell who has a questionnaire or questions of it now, unless they did it. Call it in the transaction of the change."""
    person = member_named(change.owner_name) if change.names_person and change.owner_id else None
    if change.names_person and not change.is_of_questions and change.names_approver == (questionnaire.stage.key == REVIEWED):
        # Who has it now knows. An approver named ahead hears again when it is handed over.
        Questionnaire.objects.filter(pk=questionnaire.pk).update(known_to=person)
    if person is None or person.pk == member.user_id or change.owner_type != "User":
        return
    page = "review" if change.names_approver else "questionnaire"
    notify(
        ASSIGNED,
        [person.pk],
        key=f"{change.kind}:{questionnaire.pk}:{member.user_id}:{timezone.now().strftime(TOGETHER)}",
        title=f"{member.user} {_words(change, questionnaire)}",
        text=change.note
        or (f"Due {stored(timezone.localdate(change.due_at))}" if change.is_of_questions and change.due_at else ""),
        url=partial(_url, page, questionnaire.platform_id),
    )


def tell_given(items: Mapping[int, Item], *, at: datetime) -> None:
    """Tell who has these questionnaires since the sync brought them, by their keys; whoever knows is left out.

    Call it in the transaction that notes who has them. Many at once, as after a first sync, are told once an hour.
    """
    given: dict[int, list[int]] = defaultdict(list)
    # In the order of every other lock on several questionnaires.
    rows = locked_in_order(Questionnaire.objects.filter(pk__in=items))
    for pk, known_to in rows.values_list("pk", "known_to"):
        if (owner_id := items[pk].owner_id) and owner_id != known_to:
            given[owner_id].append(pk)
    for user_id, pks in given.items():
        Questionnaire.objects.filter(pk__in=pks).update(known_to=user_id)
        if len(pks) > MAX_SINGLE:
            notify(
                ASSIGNED,
                [user_id],
                key=f"questionnaires.given:{at.strftime(TOGETHER)}",
                title="Several questionnaires are assigned to you",
                text=f"{' · '.join(items[pk].title for pk in pks[:MAX_SINGLE])}, and more",
                url=_url_of_mine,
            )
            continue
        for pk in pks:
            notify(
                ASSIGNED,
                [user_id],
                key=f"questionnaire.given:{pk}:{at:%Y%m%d%H%M%S%f}",
                title=f"Assigned to you: {items[pk].title}",
                text=items[pk].to_do,
                url=items[pk].url,
            )


def tell_answered(link: ExpertLink, *, at: datetime) -> None:
    """Tell whoever asked an expert, and the team, that an answer came. Call it in the transaction that keeps the answer.

    Of questions that were asked together once an hour, and when the last one was answered. The expert is not named: what was
    told stays when they are erased.
    """
    together = ExpertLink.objects.asked_with(link)
    total, is_whole = together.count(), not together.alive(at).unanswered().exists()
    response = link.response
    title = f"An expert answered: {response.question}"
    url = partial(_url_of_question, response.questionnaire.platform_id, response.platform_id)
    if total > 1:
        done = together.filter(answered_at__isnull=False).count()
        title = f"An expert answered {done} of {total} questions in {response.questionnaire}"
        url = partial(_url_of_asked, response.questionnaire.platform_id)
    key = f"expert:{link.asking or link.pk}:{'whole' if is_whole else at.strftime(TOGETHER)}"
    if is_whole and link.seen:
        # An answer that was changed afterwards, or taken back and sent again, is news of its own.
        key = f"{key}:{link.pk}:{at.strftime(TOGETHER)}"
    tell = partial(notify, key=key, title=title, text="Use or dismiss what they wrote.", url=url)
    tell(ASSIGNED, [link.made_by_id] if link.made_by_id else [])
    tell(QUESTIONNAIRES, [], with_team=True)


def tell_taken_back(link: ExpertLink, *, at: datetime) -> None:
    """Tell whoever asked an expert that there is no answer any more. Call it in the transaction that takes it back."""
    response = link.response
    notify(
        ASSIGNED,
        [link.made_by_id] if link.made_by_id else [],
        key=f"expert.take_back:{link.pk}:{at.strftime(TOGETHER)}",
        title=f"An expert withdrew their answer: {response.question}",
        text="The question is open again.",
        url=partial(_url_of_question, response.questionnaire.platform_id, response.platform_id),
    )


def _url_of_question(questionnaire_id: str, response_id: str, slug: str) -> str:
    return reverse("questionnaires:response", args=[slug, questionnaire_id, response_id])


def _url_of_asked(questionnaire_id: str, slug: str) -> str:
    return f"{reverse('questionnaires:questionnaire', args=[slug, questionnaire_id])}?{urlencode({'show': 'asked'})}"


def _url_of_mine(slug: str) -> str:
    return f"{reverse('today:today', args=[slug])}?{urlencode({'desk': 'Questionnaires'})}"


def _words(change: Change, questionnaire: Questionnaire) -> str:
    if change.is_of_questions:
        return f"asked you for answers in {questionnaire}"
    if change.names_approver:
        return f"asked you to approve {questionnaire}"
    return f"assigned {questionnaire} to you"


def _url(page: str, platform_id: str, slug: str) -> str:
    return reverse(f"questionnaires:{page}", args=[slug, platform_id])
