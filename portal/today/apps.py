from django.apps import AppConfig


class TodayConfig(AppConfig):
    name = "portal.today"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.ui.navigation import register_member_count
        from portal.work_items.selectors import needed_count

        register_member_count("today", needed_count)
