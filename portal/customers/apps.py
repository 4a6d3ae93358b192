from django.apps import AppConfig


class CustomersConfig(AppConfig):
    name = "portal.customers"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.services import AREA
        from portal.accounts.timeline import register_timeline
        from portal.customers import signals  # noqa: F401 - connects its receivers
        from portal.customers.models import Dismissal, NotDuplicates
        from portal.customers.timeline import CHANGES, changes_of
        from portal.tenants.leaving import keep

        register_timeline(CHANGES, changes_of, title="Done here", area=AREA)
        # People made them; they are no copy of anything on the platform.
        keep(Dismissal, NotDuplicates)
