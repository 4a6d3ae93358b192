from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AuditConfig(AppConfig):
    name = "portal.audit"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit import guards
        from portal.audit.accounts import listen
        from portal.audit.models import ChainCheck, Entry, Link
        from portal.tenants.leaving import keep

        keep(Entry, Link, ChainCheck)
        listen()
        post_migrate.connect(guards.renew, sender=self, dispatch_uid="audit_guards")
