from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AuditConfig(AppConfig):
    name = "portal.audit"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit import guards, keys
        from portal.audit.accounts import listen
        from portal.audit.models import ChainCheck, Entry, Link
        from portal.tenants.leaving import keep
        from portal.tenants.sealing import Sealed, register_sealed

        keep(Entry, Link, ChainCheck)
        register_sealed(Sealed(keys.ChainKey, ["sealed"], lambda row, field: keys.PLACE, replace=keys.replace_sealed))
        listen()
        post_migrate.connect(guards.renew, sender=self, dispatch_uid="audit_guards")
        post_migrate.connect(keys.ensure_key, sender=self, dispatch_uid="audit_key")
