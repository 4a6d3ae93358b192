from functools import partial

from django.apps import AppConfig


class CustomersConfig(AppConfig):
    name = "portal.customers"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.models import Account
        from portal.accounts.services import AREA
        from portal.accounts.timeline import register_timeline
        from portal.audit.platform_actions import register_platform_actions
        from portal.customers import (
            commented,
            signals,  # noqa: F401 - connects its receivers
            work,
        )
        from portal.customers.filters import CustomerFilters
        from portal.customers.models import Dismissal, ImportRun, NotDuplicates
        from portal.customers.search_hits import find_customers
        from portal.customers.timeline import CHANGES, changes_of
        from portal.page_refresh.services import touch_areas
        from portal.saved_views.lists import register_list
        from portal.tenants.offboarding import keep_after_purge
        from portal.tenants.texts import Texts, register_texts

        work.register()
        register_platform_actions("customer.create", "customer.change", "customer.delete")
        commented.register()
        register_timeline(CHANGES, changes_of, title="Changes here", area=AREA)
        # People made them; they are no copy of anything on the platform.
        keep_after_purge(Dismissal, NotDuplicates)
        files = Texts(kind=ImportRun, columns=("filename",), changed=partial(touch_areas, AREA))
        register_texts([("Names of imports of customers", files)])
        register_list(
            "customers",
            label="Customers",
            url_name="customers:list",
            filters=CustomerFilters,
            area="accounts",
            find=find_customers,
            searched=Account,
        )
