from django.apps import AppConfig


class AccessRequestsConfig(AppConfig):
    name = "portal.access_requests"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.access_requests.selectors import pending_count
        from portal.access_requests.services import register_personal_data
        from portal.look.navigation import register_count

        register_count("access_requests", lambda tenant: pending_count(), is_urgent=True)
        register_personal_data()
