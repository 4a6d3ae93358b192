from django.apps import AppConfig
from django.db.models.signals import post_migrate


class QuestionnairesConfig(AppConfig):
    name = "portal.questionnaires"

    def ready(self) -> None:
        from portal.accounts.account_facts import QUESTIONNAIRES, register_account_facts
        from portal.accounts.timeline import register_timeline
        from portal.audit.platform_actions import register_platform_actions
        from portal.lib.uploads import take_files_by_link
        from portal.library.asked import register_questions
        from portal.library.uses import register_use
        from portal.platform_writes import signals as bulk_signals  # noqa: F401 - connects its receivers
        from portal.questionnaires import (
            commented,
            copies,
            correction_work,
            intake_work,
            question_work,
            signals,  # noqa: F401 - connects its receivers
            work,
            write_work,
        )
        from portal.questionnaires.account_facts import describe, list_of, moments_of, questionnaires_of
        from portal.questionnaires.changes import KINDS as CHANGES
        from portal.questionnaires.drift_filters import DriftFilters
        from portal.questionnaires.faq_contradictions import DESK as SENT_ANSWERS
        from portal.questionnaires.filters import QuestionnaireFilters
        from portal.questionnaires.fulltext import keep_index
        from portal.questionnaires.library_questions import DESK
        from portal.questionnaires.library_uses import RESPONSE, used_in
        from portal.questionnaires.models import CalendarFeed, ClockSettings, DeskRules, Questionnaire, Response, Target
        from portal.questionnaires.search_hits import (
            find_questionnaires,
            find_questions,
            questionnaire_titles,
            questionnaire_url,
        )
        from portal.questionnaires.selectors import open_count
        from portal.questionnaires.services.erasure import register_personal_data
        from portal.questionnaires.services.expert_answers import may_send_file
        from portal.saved_views.found import register_found, register_openable
        from portal.saved_views.lists import register_list
        from portal.tenants.offboarding import keep_after_purge
        from portal.trust_center.sent_answers import register_sent_answers
        from portal.ui.navigation import register_count

        work.register()
        question_work.register()
        intake_work.register()
        correction_work.register()
        write_work.register()
        copies.register()
        register_platform_actions("questionnaire.intake", "response.answer", *CHANGES)
        commented.register()
        register_count("questionnaires", lambda tenant: open_count())
        post_migrate.connect(keep_index, sender=self, dispatch_uid="questionnaires_fulltext")
        register_personal_data()
        take_files_by_link("expert", may_send_file)
        register_use(RESPONSE, used_in)
        register_questions(DESK)
        register_sent_answers(SENT_ANSWERS)
        register_account_facts(QUESTIONNAIRES, questionnaires_of, area="questionnaires", list_url=list_of, describe=describe)
        register_timeline(QUESTIONNAIRES, moments_of, title="Questionnaires", area="questionnaires")
        # People made them; they are no copy of anything on the platform.
        keep_after_purge(DeskRules, Target, ClockSettings, CalendarFeed)
        register_list(
            "questionnaires",
            label="Questionnaires",
            url_name="questionnaires:list",
            filters=QuestionnaireFilters,
            area="questionnaires",
            find=find_questionnaires,
            searched=Questionnaire,
        )
        register_list(
            "inconsistent-answers",
            label="Inconsistent answers",
            url_name="questionnaires:drift",
            filters=DriftFilters,
            area="questionnaires",
        )
        register_openable("questionnaire", label="questionnaire", titles=questionnaire_titles, url=questionnaire_url)
        register_found("Questions", icon="message-circle-question-mark", find=find_questions, searched=Response)
