"""How what the Trust Center shows is read. No event tells of any of it: the comparison does."""

from collections.abc import Callable
from typing import Any

from portal.connections.services import trust_center
from portal.platform_api import Page, Platform
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.paging import whole_list
from portal.sync.copies import mirror_of_copies
from portal.sync.mirrors import Mirror
from portal.sync.services.positions import find_listed
from portal.trust_center.kinds import (
    AREA,
    CONTROL,
    CONTROL_CATEGORY,
    FAQ,
    FAQ_CATEGORY,
    FRAMEWORK,
    RESOURCE,
    SHOWN_CONTROL,
    SUBPROCESSOR,
    SUBSCRIBER,
    SUBSCRIBER_GROUP,
    TRUST_CENTER_SETTINGS,
    UPDATE,
)
from portal.trust_center.models import (
    CenterSettings,
    Control,
    ControlCategory,
    Faq,
    FaqCategory,
    Framework,
    Resource,
    ShownControl,
    Subprocessor,
    Subscriber,
    SubscriberGroup,
    Update,
)
from portal.trust_center.services.entries import shown_frameworks
from portal.trust_center.services.store import (
    store_category,
    store_faq,
    store_framework,
    store_resource,
    store_settings,
    store_subprocessor,
)
from portal.trust_center.services.store_controls import (
    placed,
    store_control,
    store_control_category,
    store_shown_control,
)
from portal.trust_center.services.store_updates import store_subscriber, store_subscriber_group, store_update

type Get = Callable[[TrustCenter, str], Any]
type ListAll = Callable[[TrustCenter], list[Any]]


def mirror_of(
    kind: str, model: type[Any], *, title: str, list_all: ListAll, save: Callable[[Any], bool], get: Get | None = None
) -> Mirror:
    """Describe a kind whose list comes in one piece. Without `get` that list is all that tells whether an object is gone."""

    def fetch(client: Platform, object_id: str) -> Any:
        center = trust_center(client)
        return get(center, object_id) if get else find_listed(list_all(center), object_id)

    def page(client: Platform, _: str | None) -> Page[Any]:
        return whole_list(list_all(trust_center(client)))

    return mirror_of_copies(kind, model, area=AREA, title=title, save=save, fetch=fetch, page=page, has_no_get=get is None)


DOCUMENTS = mirror_of(
    RESOURCE,
    Resource,
    title="Trust Center documents",
    list_all=lambda center: center.resources.all(),
    save=store_resource,
    get=lambda center, resource_id: center.resources.get(resource_id),
)
MIRRORS = (
    DOCUMENTS,
    mirror_of(
        TRUST_CENTER_SETTINGS,
        CenterSettings,
        title="Trust Center settings",
        list_all=lambda center: [center.get()],
        save=store_settings,
    ),
    mirror_of(
        FAQ_CATEGORY,
        FaqCategory,
        title="FAQ categories",
        list_all=lambda center: center.faq_categories.all(),
        save=store_category,
    ),
    mirror_of(
        FAQ,
        Faq,
        title="FAQs",
        list_all=lambda center: center.faqs.all(),
        save=store_faq,
        get=lambda center, faq_id: center.faqs.get(faq_id),
    ),
    mirror_of(
        SUBPROCESSOR,
        Subprocessor,
        title="Subprocessors",
        list_all=lambda center: center.subprocessors.all(),
        save=store_subprocessor,
        get=lambda center, subprocessor_id: center.subprocessors.get(subprocessor_id),
    ),
    mirror_of(
        FRAMEWORK,
        Framework,
        title="Compliance frameworks",
        list_all=shown_frameworks,
        save=store_framework,
    ),
    mirror_of(
        CONTROL_CATEGORY,
        ControlCategory,
        title="Control categories",
        # There is a call for one, but it does not say which place it has.
        list_all=lambda center: placed(center.control_categories.all()),
        save=store_control_category,
    ),
    mirror_of_copies(
        SHOWN_CONTROL,
        ShownControl,
        area=AREA,
        title="Trust Center controls",
        fetch=lambda client, control_id: trust_center(client).controls.get(control_id),
        page=lambda client, cursor: trust_center(client).controls.all.page(cursor),
        save=store_shown_control,
    ),
    mirror_of_copies(
        CONTROL,
        Control,
        area=AREA,
        title="Controls",
        unread=("description",),
        fetch=lambda client, control_id: client.controls.get(control_id),
        page=lambda client, cursor: client.controls.all.page(cursor),
        save=store_control,
        # Deactivated ones are in a list of their own; whether they can still be fetched is not documented (platform-api 4.10).
        answers_for_removed=True,
    ),
    mirror_of_copies(
        UPDATE,
        Update,
        area=AREA,
        title="Trust Center updates",
        fetch=lambda client, update_id: trust_center(client).updates.get(update_id),
        page=lambda client, cursor: trust_center(client).updates.all.page(cursor),
        save=store_update,
    ),
    mirror_of_copies(
        SUBSCRIBER_GROUP,
        SubscriberGroup,
        area=AREA,
        title="Subscriber groups",
        fetch=lambda client, group_id: trust_center(client).subscriber_groups.get(group_id),
        page=lambda client, cursor: trust_center(client).subscriber_groups.all.page(cursor),
        save=store_subscriber_group,
    ),
    mirror_of_copies(
        SUBSCRIBER,
        Subscriber,
        area=AREA,
        title="Subscribers",
        unread=("payload", "search"),
        fetch=lambda client, subscriber_id: trust_center(client).subscribers.get(subscriber_id),
        page=lambda client, cursor: trust_center(client).subscribers.all.page(cursor),
        save=store_subscriber,
    ),
)
