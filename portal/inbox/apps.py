from django.apps import AppConfig


class InboxConfig(AppConfig):
    name = "portal.inbox"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.inbox import signals, work  # noqa: F401 - the signals connect their receivers
        from portal.inbox.metrics import readings
        from portal.inbox.models import SEALED_FIELDS, Endpoint
        from portal.inbox.routes import MIRRORS
        from portal.inbox.selectors import attention_count
        from portal.inbox.services.erasure import register_personal_data
        from portal.lib.metrics import register_readings
        from portal.sync.mirrors import register_mirrors
        from portal.tenants.offboarding import exclude_from_export, keep_after_purge
        from portal.tenants.sealing import Sealed, register_sealed
        from portal.ui.navigation import register_count

        work.register()
        # The addresses go on answering that the tenant has left.
        keep_after_purge(Endpoint)
        exclude_from_export(Endpoint, *SEALED_FIELDS, "public_id")
        register_sealed(Sealed(Endpoint, SEALED_FIELDS, lambda row, field: row.sealed_at(field)))
        register_count("inbox", lambda tenant: attention_count(), is_urgent=True)
        register_readings(readings)
        register_personal_data()
        register_mirrors(MIRRORS)
