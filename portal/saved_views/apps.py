from django.apps import AppConfig


class SavedViewsConfig(AppConfig):
    name = "portal.saved_views"

    def ready(self) -> None:
        from portal.saved_views.models import SavedView
        from portal.saved_views.personal_data import register_personal_data
        from portal.tenants.offboarding import keep_after_purge

        # People made them; they are no copy of anything on the platform.
        keep_after_purge(SavedView)
        register_personal_data()
