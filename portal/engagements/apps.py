from django.apps import AppConfig


class EngagementsConfig(AppConfig):
    name = "portal.engagements"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit.platform_actions import register_platform_actions
        from portal.engagements import filters, models, search_hits, work
        from portal.engagements.kinds import AREA, CONTROL, ENGAGEMENT, EVIDENCE, REQUEST
        from portal.engagements.services.coverage import covers_audits
        from portal.engagements.services.decisions import EVIDENCE_STEPS
        from portal.engagements.services.erasure import register_personal_data
        from portal.saved_views.found import register_found, register_openable
        from portal.saved_views.lists import register_list
        from portal.ui.navigation import register_condition

        work.register()
        register_personal_data()
        register_condition("engagements", covers_audits)
        verbs = ("comment", "change_comment", "delete_comment")
        register_platform_actions(
            *(f"{kind}.{verb}" for kind in (REQUEST, EVIDENCE, CONTROL) for verb in verbs),
            *(f"{REQUEST}.{verb}" for verb in ("accept", "flag")),
            *(f"{EVIDENCE}.{key.lower()}" for key in EVIDENCE_STEPS),
            f"{CONTROL}.assess",
        )
        register_list(
            "engagements",
            label="Audits",
            url_name="engagements:list",
            filters=filters.EngagementFilters,
            area=AREA,
            find=search_hits.find_engagements,
            searched=models.Engagement,
        )
        register_found(
            "Information requests",
            icon="message-square-text",
            find=search_hits.find_requests,
            searched=models.InformationRequest,
        )
        register_found("Audit evidence", icon="file-check", find=search_hits.find_evidence, searched=models.EvidenceItem)
        register_openable(ENGAGEMENT, label="audit", titles=search_hits.engagement_titles, url=search_hits.engagement_url)
