from django.apps import AppConfig


class QuestionnairesConfig(AppConfig):
    name = "portal.questionnaires"

    def ready(self) -> None:
        from portal.look.navigation import register_count
        from portal.questionnaires.selectors import open_count

        register_count("questionnaires", lambda tenant: open_count())
