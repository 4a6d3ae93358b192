from django.apps import AppConfig
from django.db.models.signals import post_migrate


class QuestionnairesConfig(AppConfig):
    name = "portal.questionnaires"

    def ready(self) -> None:
        from portal.accounts.account_facts import QUESTIONNAIRES, register_account_facts
        from portal.accounts.timeline import register_timeline
        from portal.questionnaires import signals  # noqa: F401 - connects its receivers
        from portal.questionnaires.account_facts import describe, list_of, moments_of, questionnaires_of
        from portal.questionnaires.fulltext import keep_index
        from portal.questionnaires.models import CalendarFeed, ClockSettings, DeskRules, SavedView, Target
        from portal.questionnaires.selectors import open_count, review_count
        from portal.questionnaires.services.erasing import register_personal_data
        from portal.tenants.leaving import keep
        from portal.ui.navigation import register_count

        register_count("questionnaires", lambda tenant: open_count())
        register_count("questionnaires?stage=in-review", lambda tenant: review_count())
        post_migrate.connect(keep_index, sender=self, dispatch_uid="questionnaires_fulltext")
        register_personal_data()
        register_account_facts(QUESTIONNAIRES, questionnaires_of, area="questionnaires", list_url=list_of, describe=describe)
        register_timeline(QUESTIONNAIRES, moments_of, title="Questionnaires", area="questionnaires")
        # People made them; they are no copy of anything on the platform.
        keep(SavedView, DeskRules, Target, ClockSettings, CalendarFeed)
