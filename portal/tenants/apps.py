from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TenantsConfig(AppConfig):
    name = "portal.tenants"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.tenants.row_security import enable_row_security

        post_migrate.connect(enable_row_security, dispatch_uid="row_security")
