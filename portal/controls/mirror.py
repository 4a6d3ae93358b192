"""How controls out of use, frameworks and tests are fetched, stored and found gone. No event tells of them: comparisons do.

The platform lists what is out of use at two addresses with the same objects; the older one is to go (specification section 7),
and is not asked. Requirements and evidence cost calls for each framework and each control. So requirements are read when the
number of controls of a framework has changed, and evidence when somebody opens the control.
"""

from portal.controls.kinds import AREA, DEACTIVATED_CONTROL, EVIDENCE, FRAMEWORK, REQUIREMENTS, TEST
from portal.controls.models import DeactivatedControl, Evidence, Framework, Test
from portal.controls.services.store import frameworks_to_read, store_deactivated, store_framework, store_test
from portal.controls.services.store_parts import (
    fetch_evidence,
    fetch_requirements,
    forget_evidence,
    store_evidence,
    store_requirements,
)
from portal.sync.copies import mirror_of_copies
from portal.sync.mirrors import Mirror, names_of_rows
from portal.sync.services import mark_many
from portal.sync.services.positions import find_listed
from portal.trust_center.models import Control

FRAMEWORKS = mirror_of_copies(
    FRAMEWORK,
    Framework,
    area=AREA,
    unread=("description", "search"),
    title="Frameworks",
    fetch=lambda client, framework_id: client.frameworks.get(framework_id),
    page=lambda client, cursor: client.frameworks.all.page(cursor),
    before_save=lambda fetched: mark_many(REQUIREMENTS, frameworks_to_read(fetched)),
    save=store_framework,
)
MIRRORS = (
    mirror_of_copies(
        DEACTIVATED_CONTROL,
        DeactivatedControl,
        area=AREA,
        unread=("description", "search"),
        title="Deactivated controls",
        fetch=lambda client, control_id: find_listed(client.controls.deactivated(), control_id),
        page=lambda client, cursor: client.controls.deactivated.page(cursor),
        save=store_deactivated,
        has_no_get=True,
    ),
    FRAMEWORKS,
    Mirror(
        kind=REQUIREMENTS,
        names=names_of_rows(Framework, "description", "search"),
        title="Requirements of frameworks",
        area=AREA,
        fetch=fetch_requirements,
        save=store_requirements,
        # Whether the framework itself is gone the comparison of all of them tells.
        mark_gone=lambda _: False,
        has=FRAMEWORKS.has,
        has_events=False,
    ),
    mirror_of_copies(
        TEST,
        Test,
        area=AREA,
        unread=("description", "search"),
        title="Tests",
        fetch=lambda client, test_id: client.tests.get(test_id),
        page=lambda client, cursor: client.tests.all.page(cursor),
        save=store_test,
    ),
    Mirror(
        kind=EVIDENCE,
        names=names_of_rows(Control, "description", "search"),
        title="Evidence of controls",
        area=AREA,
        fetch=fetch_evidence,
        save=store_evidence,
        mark_gone=forget_evidence,
        has=lambda control_id: Evidence.objects.filter(control_id=control_id).exists(),
        problem=lambda fetched: fetched.tests.problem,
        has_events=False,
    ),
)
