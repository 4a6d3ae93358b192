from django.apps import AppConfig


class ControlsConfig(AppConfig):
    name = "portal.controls"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.controls import filters, models, search_hits
        from portal.controls.kinds import AREA, FRAMEWORK, TEST
        from portal.saved_views.found import register_found, register_openable
        from portal.saved_views.lists import register_list
        from portal.trust_center.kinds import CONTROL
        from portal.trust_center.models import Control

        register_list(
            "company-controls",
            label="Controls",
            url_name="controls:list",
            filters=filters.CompanyControlFilters,
            area=AREA,
            find=search_hits.find_controls,
            searched=Control,
        )
        register_list(
            "company-frameworks",
            label="Frameworks",
            url_name="controls:frameworks",
            filters=filters.CompanyFrameworkFilters,
            area=AREA,
            find=search_hits.find_frameworks,
            searched=models.Framework,
        )
        register_list(
            "tests",
            label="Tests",
            url_name="controls:tests",
            filters=filters.TestFilters,
            area=AREA,
            find=search_hits.find_tests,
            searched=models.Test,
        )
        register_found(
            "Deactivated controls", icon="shield-off", find=search_hits.find_deactivated, searched=models.DeactivatedControl
        )
        register_openable(CONTROL, label="control", titles=search_hits.control_titles, url=search_hits.control_url)
        register_openable(FRAMEWORK, label="framework", titles=search_hits.framework_titles, url=search_hits.framework_url)
        register_openable(TEST, label="test", titles=search_hits.test_titles, url=search_hits.test_url)
