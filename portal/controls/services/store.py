"""What the platform sent becomes rows. Runs in the caller's transaction. Owners are people, and are left out."""

from collections.abc import Sequence

from portal.controls.models import DeactivatedControl, Framework, Test
from portal.controls.models.choices import MAX_NAME_LENGTH, MAX_WORD_LENGTH, status_rank
from portal.lib.storable import storable
from portal.platform_api.models import compliance as remote
from portal.sync.copies import search_text, sort_key, store_copy
from portal.trust_center.services.store_controls import OWN

MAX_TEXT_LENGTH, MAX_SECTIONS = 50_000, 200
MAX_NUMBER = 2**31 - 1


def counted(number: int | None) -> int:
    """Return a number of the platform's as a column holds it."""
    return min(max(number or 0, 0), MAX_NUMBER)


def store_deactivated(fetched: remote.Control) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.Control.read(storable(fetched.raw))
    name, external_id = found.name[:MAX_NAME_LENGTH], (found.external_id or "")[:MAX_NAME_LENGTH]
    description = found.description[:MAX_TEXT_LENGTH]
    codes = [
        [each.shorthand_name or each.display_name, [str(section) for section in each.sections[:MAX_SECTIONS]]]
        for each in found.frameworks or ()
    ]
    columns = {
        "name": name,
        "name_sort": sort_key(name),
        "external_id": external_id,
        "description": description,
        "domain": (found.domains[0] if found.domains else "")[:MAX_NAME_LENGTH],
        "is_own": found.source == OWN,
        "reason": (found.deactivation_reason or "")[:MAX_TEXT_LENGTH],
        "codes": codes,
        "search": search_text(name, external_id, description),
    }
    return store_copy(DeactivatedControl, found.id, columns)


def store_framework(fetched: remote.Framework) -> bool:
    """Make the row equal to what was fetched; True when it changed. Its requirements are read by themselves."""
    found = remote.Framework.read(storable(fetched.raw))
    name, shorthand = found.display_name[:MAX_NAME_LENGTH], (found.shorthand_name or "")[:MAX_NAME_LENGTH]
    description = (found.description or "")[:MAX_TEXT_LENGTH]
    columns = {
        "name": name,
        "name_sort": sort_key(name or shorthand),
        "shorthand": shorthand,
        "description": description,
        "controls_completed": counted(found.num_controls_completed),
        "controls_total": counted(found.num_controls_total),
        "documents_passing": counted(found.num_documents_passing),
        "documents_total": counted(found.num_documents_total),
        "tests_passing": counted(found.num_tests_passing),
        "tests_total": counted(found.num_tests_total),
        "search": search_text(name, shorthand, description),
    }
    return store_copy(Framework, found.id, columns)


def frameworks_to_read(fetched: Sequence[remote.Framework]) -> set[str]:
    """Return the frameworks whose requirements were never read, or when they had another number of controls."""
    rows = Framework.objects.filter(platform_id__in=[each.id for each in fetched]).exclude(requirements_read_at=None)
    read_for = dict(rows.values_list("platform_id", "requirements_read_for"))
    return {each.id for each in fetched if read_for.get(each.id) != counted(each.num_controls_total)}


def store_test(fetched: remote.Test) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.Test.read(storable(fetched.raw))
    name, category = found.name[:MAX_NAME_LENGTH], (found.category or "")[:MAX_NAME_LENGTH]
    description, status = (found.description or "")[:MAX_TEXT_LENGTH], found.status[:MAX_WORD_LENGTH]
    integrations = ", ".join(found.integrations)[:MAX_TEXT_LENGTH]
    columns = {
        "name": name,
        "name_sort": sort_key(name),
        "description": description,
        "category": category,
        "status": status,
        "status_rank": status_rank(status),
        "integrations": integrations,
        "last_run_at": found.last_test_run_date,
        "search": search_text(name, category, description, integrations),
    }
    return store_copy(Test, found.id, columns)
