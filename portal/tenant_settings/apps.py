from django.apps import AppConfig


class TenantSettingsConfig(AppConfig):
    name = "portal.tenant_settings"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.saved_views.lists import register_list
        from portal.tenant_settings.filters import AuditFilters
        from portal.tenants.models import Role

        register_list("audit", label="Audit", url_name="settings:audit", filters=AuditFilters, area="audit", role=Role.ADMIN)
