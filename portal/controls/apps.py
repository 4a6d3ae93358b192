from django.apps import AppConfig


class ControlsConfig(AppConfig):
    name = "portal.controls"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.controls import filters, finding, models
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
            find=finding.find_controls,
            searched=Control,
        )
        register_list(
            "company-frameworks",
            label="Frameworks",
            url_name="controls:frameworks",
            filters=filters.CompanyFrameworkFilters,
            area=AREA,
            find=finding.find_frameworks,
            searched=models.Framework,
        )
        register_list(
            "tests",
            label="Tests",
            url_name="controls:tests",
            filters=filters.TestFilters,
            area=AREA,
            find=finding.find_tests,
            searched=models.Test,
        )
        register_found(
            "Deactivated controls", icon="shield-off", find=finding.find_deactivated, searched=models.DeactivatedControl
        )
        register_openable(CONTROL, label="control", titles=finding.control_titles, url=finding.control_url)
        register_openable(FRAMEWORK, label="framework", titles=finding.framework_titles, url=finding.framework_url)
        register_openable(TEST, label="test", titles=finding.test_titles, url=finding.test_url)
