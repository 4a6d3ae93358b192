from django.apps import AppConfig


class DeletionRequestsConfig(AppConfig):
    name = "portal.deletion_requests"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.deletion_requests.selectors import attention_count
        from portal.look.navigation import register_count

        register_count("deletion_requests", lambda tenant: attention_count(), is_urgent=True)
