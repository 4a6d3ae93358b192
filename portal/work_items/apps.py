from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class WorkItemsConfig(AppConfig):
    name = "portal.work_items"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.tenants.offboarding import keep_after_purge
        from portal.work_items import triggers
        from portal.work_items.models import Snooze, Visit

        # People's own choices; the items themselves are made of the desks' rows.
        keep_after_purge(Snooze, Visit)
        pre_migrate.connect(triggers.remove, sender=self, dispatch_uid="work_item_triggers")
        post_migrate.connect(triggers.renew, sender=self, dispatch_uid="work_item_triggers")
