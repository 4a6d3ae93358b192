"""Adding, renaming and deleting categories of FAQs. Nothing but their list tells of them (platform-api 4.5.7)."""

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.page_refresh.services import touch_areas
from portal.platform_api.areas.trust_center_pages import FaqCategories
from portal.platform_api.models.showcase import Category
from portal.sync.copies import lock_in_order
from portal.sync.services.positions import find_listed
from portal.tenants.models import Membership
from portal.trust_center.errors import AlreadyThere
from portal.trust_center.kinds import AREA, FAQ_CATEGORY
from portal.trust_center.models import Faq, FaqCategory
from portal.trust_center.services.store import category_columns, column_name, store_category
from portal.trust_center.services.writes import add_object, check, delete_object, update_object


def add_category(name: str, *, member: Membership) -> FaqCategory:
    """Add a category on the platform.

    Raises PermissionDenied, AlreadyThere, OutcomeUnknown, NotConnected, NoTrustCenter or a PlatformError.
    """
    check(member)
    if FaqCategory.objects.present().filter(name=name).exists():
        raise AlreadyThere
    categories = _categories()
    added = add_object(
        write=lambda: categories.create(name),
        fetch=lambda: [each for each in categories.all() if each.name == name],
    )
    with transaction.atomic():
        return _keep(added, "add", "Added", member)


def rename_category(category: FaqCategory, name: str, *, member: Membership) -> FaqCategory:
    """Rename a category on the platform. Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected or a PlatformError."""
    check(member)
    categories = _categories()
    found = update_object(
        FAQ_CATEGORY,
        category.platform_id,
        write=lambda: categories.rename(category.platform_id, name),
        fetch=lambda: find_listed(categories.all(), category.platform_id),
        is_done=lambda found: found.name == name,
        said=lambda found: column_name(found.name),
        before=category.name,
    )
    with transaction.atomic():
        _move_faqs(category, found)
        return _keep(found, "rename", "Renamed", member)


def delete_category(category: FaqCategory, *, member: Membership) -> None:
    """Delete a category on the platform; its FAQs are in none then.

    Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    categories = _categories()
    delete_object(
        FAQ_CATEGORY,
        category.platform_id,
        delete=lambda: categories.delete(category.platform_id),
        fetch=lambda: find_listed(categories.all(), category.platform_id),
        is_known_gone=lambda: FaqCategory.objects.filter(pk=category.pk).exclude(gone_at=None).exists(),
    )
    with transaction.atomic():
        if FaqCategory.objects.present().filter(pk=category.pk).update(gone_at=timezone.now()):
            _move_faqs(category, None)
            _note(category, "delete", "Deleted", member)


def _move_faqs(category: FaqCategory, found: Category | None) -> None:
    """Have the FAQs of a category name it as it is now; None where it is gone."""
    faqs = Faq.objects.filter(category_id=category.platform_id)
    lock_in_order(faqs)
    faqs.update(**category_columns(found))


def _categories() -> FaqCategories:
    return trust_center(client_for(Urgency.PERSON)).faq_categories


def _keep(found: Category, verb: str, said: str, member: Membership) -> FaqCategory:
    store_category(found)
    category = FaqCategory.objects.get(platform_id=found.id)
    _note(category, verb, said, member)
    return category


def _note(category: FaqCategory, verb: str, said: str, member: Membership) -> None:
    summary = f"{said} the FAQ category “{str(category)[:150]}”."
    record(f"faq_category.{verb}", target=(FAQ_CATEGORY, category.platform_id), summary=summary, actor=member.user)
    touch_areas(AREA)
