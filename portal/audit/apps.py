from django.apps import AppConfig
from django.db.models.signals import post_migrate, post_save


class AuditConfig(AppConfig):
    name = "portal.audit"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit import chain, guards, keys
        from portal.audit.accounts import listen
        from portal.audit.models import ChainCheck, ChainHead, Entry, Link
        from portal.tenants.models import Tenant
        from portal.tenants.offboarding import keep_after_purge
        from portal.tenants.sealing import Sealed, register_sealed

        keep_after_purge(Entry, Link, ChainHead, ChainCheck)
        register_sealed(Sealed(keys.ChainKey, ["sealed"], lambda row, field: keys.PLACE, replace=keys.replace_sealed))
        listen()
        post_migrate.connect(guards.renew, sender=self, dispatch_uid="audit_guards")
        post_migrate.connect(chain.start_chains, sender=self, dispatch_uid="audit_key")
        post_save.connect(chain.start_tenant_chain, sender=Tenant, dispatch_uid="audit_chain")
