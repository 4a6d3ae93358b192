from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "portal.accounts"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.models import Part
        from portal.accounts.services.erasure import register_personal_data
        from portal.tenants.offboarding import keep_after_purge

        # People said so; it is no copy of anything on the platform.
        keep_after_purge(Part)
        register_personal_data()
