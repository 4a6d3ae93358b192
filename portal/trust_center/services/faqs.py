"""Adding, changing and deleting FAQs of the Trust Center."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.line_breaks import unified
from portal.lib.storable import storable
from portal.page_refresh.services import touch_areas
from portal.platform_api.models.showcase import Faq as RemoteFaq
from portal.tenants.models import Membership
from portal.tenants.scope import current_tenant_id
from portal.trust_center.errors import AlreadyThere
from portal.trust_center.kinds import AREA, FAQ
from portal.trust_center.models import Faq
from portal.trust_center.services.checks import CHECK
from portal.trust_center.services.store import store_faq
from portal.trust_center.services.writes import (
    add_object,
    check,
    check_no_other,
    delete_object,
    look_before,
    update_object,
    version_of,
)


@dataclass(frozen=True, kw_only=True)
class FaqText:
    """What a FAQ is to say, and the platform's id of its category; None for none."""

    question: str
    answer: str
    category_id: str | None = None

    @property
    def version(self) -> str:
        """Stands for what a person has before them."""
        return version_of([unified(self.question), unified(self.answer), self.category_id])


def text_of(fetched: RemoteFaq | Faq) -> FaqText:
    """Return all that the platform's FAQ says, as our copy has it: columns may be shorter."""
    found = RemoteFaq.read(fetched.payload if isinstance(fetched, Faq) else storable(fetched.raw))
    category_id = found.category.id if found.category else None
    return FaqText(question=unified(found.question), answer=unified(found.answer), category_id=category_id)


def add_faq(text: FaqText, *, member: Membership) -> Faq:
    """Add a FAQ on the platform.

    Raises PermissionDenied, AlreadyThere for a question that is answered already, OutcomeUnknown, NotConnected,
    NoTrustCenter or a PlatformError.
    """
    check(member)
    if Faq.objects.present().filter(question=text.question).exists():
        raise AlreadyThere
    faqs = trust_center(client_for(Urgency.PERSON)).faqs

    def fetch() -> list[RemoteFaq]:
        return [each for each in faqs.all() if text_of(each).question == text.question]

    check_no_other(fetch(), is_same=lambda each: text_of(each) == text, store=store_faq)
    added = add_object(
        write=lambda: faqs.create(question=text.question, answer=text.answer, category_id=text.category_id), fetch=fetch
    )
    return _keep(added, "add", "Added", member)


def change_faq(faq: Faq, text: FaqText, *, seen: str, member: Membership) -> Faq:
    """Change a FAQ on the platform, if it still says what the person has seen (`FaqText.version`).

    Raises PermissionDenied, Gone, ChangedMeanwhile, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    faqs = trust_center(client_for(Urgency.PERSON)).faqs

    def fetch() -> RemoteFaq:
        return faqs.get(faq.platform_id)

    before = look_before(
        FAQ,
        faq.platform_id,
        fetch,
        is_expected=lambda found: text_of(found).version == seen or text_of(found) == text,
        store=store_faq,
    )
    found = update_object(
        FAQ,
        faq.platform_id,
        write=lambda: faqs.update(faq.platform_id, question=text.question, answer=text.answer, category_id=text.category_id),
        fetch=fetch,
        is_done=lambda found: text_of(found) == text,
        said=text_of,
        before=text_of(before),
    )
    return _keep(found, "change", "Changed", member)


def delete_faq(faq: Faq, *, member: Membership) -> None:
    """Delete a FAQ on the platform. Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError."""
    check(member)
    faqs = trust_center(client_for(Urgency.PERSON)).faqs
    delete_object(
        FAQ,
        faq.platform_id,
        delete=lambda: faqs.delete(faq.platform_id),
        fetch=lambda: faqs.get(faq.platform_id),
        is_known_gone=lambda: Faq.objects.filter(pk=faq.pk).exclude(gone_at=None).exists(),
    )
    with transaction.atomic():
        if Faq.objects.present().filter(pk=faq.pk).update(gone_at=timezone.now()):
            _note(faq, "delete", "Deleted", member)


@transaction.atomic
def _keep(found: RemoteFaq, verb: str, said: str, member: Membership) -> Faq:
    store_faq(found)
    faq = Faq.objects.get(platform_id=found.id)
    _note(faq, verb, said, member)
    return faq


def _note(faq: Faq, verb: str, said: str, member: Membership) -> None:
    # What it says now is compared with sent answers at once.
    enqueue_on_commit(CHECK, current_tenant_id())
    summary = f"{said} the FAQ “{str(faq)[:150]}”."
    record(f"faq.{verb}", target=(FAQ, faq.platform_id), summary=summary, actor=member.user)
    touch_areas(AREA)
