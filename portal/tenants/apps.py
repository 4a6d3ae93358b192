from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TenantsConfig(AppConfig):
    name = "portal.tenants"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.lib.logs import register_facts
        from portal.tenants import checks  # noqa: F401 - it registers itself
        from portal.tenants.models import Membership
        from portal.tenants.offboarding import keep_after_purge
        from portal.tenants.row_security import enable_row_security, grant_to_application
        from portal.tenants.scope import scope

        register_facts(lambda: {"tenant": scope()})
        keep_after_purge(Membership)
        post_migrate.connect(enable_row_security, dispatch_uid="row_security")
        post_migrate.connect(grant_to_application, dispatch_uid="grants")
