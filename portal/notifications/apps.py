from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "portal.notifications"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.notifications import copies, personal_data, signals
        from portal.notifications.models import SEALED_FIELDS, Preference, QuietHours, TeamChannel
        from portal.notifications.selectors import unread_count
        from portal.tenants.offboarding import exclude_from_export, keep_after_purge
        from portal.tenants.sealing import Sealed, register_sealed
        from portal.ui.navigation import register_member_count

        # People's own choices; the notifications name the platform's objects, and go with those.
        keep_after_purge(Preference, QuietHours, TeamChannel)
        exclude_from_export(TeamChannel, *SEALED_FIELDS)
        register_sealed(Sealed(TeamChannel, SEALED_FIELDS, lambda row, field: row.place(field)))
        personal_data.register()
        copies.register()
        signals.connect()
        register_member_count("notifications", unread_count)
