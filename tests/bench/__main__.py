import os
import sys

import django
from django.test.utils import setup_test_environment

from tests.run import SERVICES, answers, make_role


def main(wanted: list[str]) -> None:
    on_services = all(map(answers, SERVICES.values()))
    os.environ["TEST_SERVICES"] = "1" if on_services else "0"
    if on_services:
        make_role()
    print(f"On {'PostgreSQL and Redis' if on_services else 'SQLite and the embedded broker'}, {os.cpu_count()} processors.")
    from tests import environment  # noqa: F401 - fills the environment

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    setup_test_environment(debug=False)
    # These need Django to be set up.
    from tests.bench.activity import print_activity
    from tests.bench.audit_check import print_audit_check
    from tests.bench.commitments import print_commitments
    from tests.bench.comparison import print_comparison
    from tests.bench.contracts import print_contracts
    from tests.bench.customers import print_customers
    from tests.bench.draft_weights import print_draft_weights
    from tests.bench.drafts import print_drafts
    from tests.bench.drain import print_drain
    from tests.bench.erasure import print_erasure
    from tests.bench.first_hour import print_first_hour
    from tests.bench.first_view import print_first_view
    from tests.bench.inbox import print_inbox
    from tests.bench.incidents import print_incidents
    from tests.bench.library import print_library
    from tests.bench.lists import print_lists
    from tests.bench.pages import print_pages
    from tests.bench.portfolio import print_portfolio
    from tests.bench.program import print_program
    from tests.bench.receiver import print_receiver
    from tests.bench.rules import print_rules
    from tests.bench.tasks import print_tasks
    from tests.bench.today import print_today
    from tests.bench.tokens import print_tokens
    from tests.bench.viewers import print_viewers
    from tests.bench.visible import print_visible
    from tests.bench.world import create_database, drop_database

    parts = {
        "first-view": print_first_view,
        "first-hour": print_first_hour,
        "pages": print_pages,
        "today": print_today,
        "portfolio": print_portfolio,
        "trust_center_activity": print_activity,
        "viewers": print_viewers,
        "customers": print_customers,
        "incidents": print_incidents,
        "contracts": print_contracts,
        "commitments": print_commitments,
        "program": print_program,
        "inbox": print_inbox,
        "receiver": print_receiver,
        "drain": print_drain,
        "erasure": print_erasure,
        "comparison": print_comparison,
        "rules": print_rules,
        "audit_check": print_audit_check,
        "visible": print_visible,
        "lists": print_lists,
        "tokens": print_tokens,
        "tasks": print_tasks,
        "library": print_library,
        "drafts": print_drafts,
        "draft_weights": print_draft_weights,
    }
    create_database()
    try:
        if wanted[:1] in (["library"], ["drafts"]):
            parts[wanted[0]](*wanted[1:])
            return
        for name in wanted or parts:
            parts[name]()
    finally:
        drop_database()


if __name__ == "__main__":
    main(sys.argv[1:])
