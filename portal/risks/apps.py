from django.apps import AppConfig


class RisksConfig(AppConfig):
    name = "portal.risks"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit.platform_actions import register_platform_actions
        from portal.risks import filters, models, search_hits, work
        from portal.risks.kinds import AREA, ISSUE, RISK_SCENARIO
        from portal.risks.services.erasure import register_personal_data
        from portal.saved_views.found import register_openable
        from portal.saved_views.lists import register_list

        work.register()
        register_personal_data()
        register_platform_actions(*(f"{RISK_SCENARIO}.{verb}_control" for verb in ("add", "change", "remove")))
        register_list(
            "issues",
            label="Issues",
            url_name="risks:issues",
            filters=filters.IssueFilters,
            area=AREA,
            find=search_hits.find_issues,
            searched=models.Issue,
        )
        register_list(
            "risk-scenarios",
            label="Risk scenarios",
            url_name="risks:scenarios",
            filters=filters.ScenarioFilters,
            area=AREA,
            find=search_hits.find_scenarios,
            searched=models.RiskScenario,
        )
        register_openable(ISSUE, label="issue", titles=search_hits.issue_titles, url=search_hits.issue_url)
        register_openable(
            RISK_SCENARIO, label="risk scenario", titles=search_hits.scenario_titles, url=search_hits.scenario_url
        )
