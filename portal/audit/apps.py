from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "portal.audit"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit.models import Entry
        from portal.tenants.leaving import keep

        keep(Entry)
