"""What the platform sent becomes rows. Runs in the caller's transaction."""

from datetime import UTC

from portal.lib.storable import storable, storable_text
from portal.platform_api.models import showcase as remote
from portal.platform_api.models.trust_center import Resource as RemoteResource
from portal.platform_api.models.trust_center import TrustCenter as RemoteCenter
from portal.sync.copies import search_text, sort_key, store_copy
from portal.trust_center.models import (
    CenterSettings,
    Faq,
    FaqCategory,
    Framework,
    Renewal,
    Resource,
    Subprocessor,
    category_sort_key,
    renewal_day,
)
from portal.trust_center.models.faqs import MAX_SORT_LENGTH
from portal.trust_center.models.lists import MAX_STANDARD_LENGTH, MAX_URL_LENGTH
from portal.trust_center.models.resources import MAX_TYPE_LENGTH, file_type_of

MAX_NAME_LENGTH, MAX_TEXT_LENGTH = 300, 50_000


def column_name(name: str) -> str:
    """Return a name of the platform as our column holds it, to be compared with one."""
    return storable_text(name)[:MAX_NAME_LENGTH]


def store_resource(fetched: RemoteResource) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = RemoteResource.read(storable(fetched.raw))
    title, file_name = found.title[:MAX_NAME_LENGTH], (found.file_name or "")[:MAX_NAME_LENGTH]
    renewal = Renewal.objects.filter(resource_id=found.id).first()
    created_on = found.creation_date.astimezone(UTC).date() if found.creation_date else None
    description = (found.description or "")[:MAX_TEXT_LENGTH]
    columns = {
        "title": title,
        "title_sort": sort_key(title),
        "description": description,
        "file_name": file_name,
        "file_type": file_type_of(found.mime_type, file_name)[:MAX_TYPE_LENGTH],
        "is_public": found.is_public,
        "created_at": found.creation_date,
        "updated_at": found.updated_date,
        "renew_on": renewal_day(title, created_on, renewal),
        "search": search_text(title, file_name, description),
        "payload": found.raw,
    }
    return store_copy(Resource, found.id, columns)


def store_faq(fetched: remote.Faq) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.Faq.read(storable(fetched.raw))
    question, answer = found.question[:MAX_TEXT_LENGTH], found.answer[:MAX_TEXT_LENGTH]
    columns = {
        "question": question,
        "question_sort": sort_key(question)[:MAX_SORT_LENGTH],
        "answer": answer,
        **category_columns(found.category),
        "search": search_text(question, answer),
        "payload": found.raw,
    }
    is_changed = store_copy(Faq, found.id, columns)
    if is_changed:
        # What it says now has not been compared with sent answers.
        Faq.objects.filter(platform_id=found.id).update(compared_at=None)
    return is_changed


def category_columns(category: remote.Category | None) -> dict[str, str]:
    """Return what a FAQ repeats of its category."""
    category_id, name = (category.id, category.name[:MAX_NAME_LENGTH]) if category else ("", "")
    return {"category_id": category_id, "category_name": name, "category_sort": category_sort_key(category_id, name)}


def store_category(fetched: remote.Category) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.Category.read(storable(fetched.raw))
    name = found.name[:MAX_NAME_LENGTH]
    return store_copy(FaqCategory, found.id, {"name": name, "name_sort": sort_key(name), "payload": found.raw})


def store_subprocessor(fetched: remote.Subprocessor) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.Subprocessor.read(storable(fetched.raw))
    name, location = found.name[:MAX_NAME_LENGTH], (found.location or "")[:MAX_NAME_LENGTH]
    purpose, description = (found.purpose or "")[:MAX_TEXT_LENGTH], (found.description or "")[:MAX_TEXT_LENGTH]
    columns = {
        "name": name,
        "name_sort": sort_key(name),
        "purpose": purpose,
        "location": location,
        "description": description,
        "url": (found.url or "")[:MAX_URL_LENGTH],
        "search": search_text(name, location, purpose, description),
        "payload": found.raw,
    }
    return store_copy(Subprocessor, found.id, columns)


def store_settings(fetched: RemoteCenter) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = RemoteCenter.read(storable(fetched.raw))
    return store_copy(CenterSettings, found.id, {"is_public": found.is_public, "payload": found.raw})


def store_framework(fetched: remote.ShownFramework) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.ShownFramework.read(storable(fetched.raw))
    name, description = found.name[:MAX_NAME_LENGTH], (found.description or "")[:MAX_TEXT_LENGTH]
    columns = {
        "name": name,
        "name_sort": sort_key(name),
        "standard": (found.standard or "")[:MAX_STANDARD_LENGTH],
        "description": description,
        "search": search_text(name, found.standard or "", description),
        "payload": found.raw,
    }
    return store_copy(Framework, found.id, columns)
