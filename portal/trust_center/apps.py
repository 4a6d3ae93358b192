from django.apps import AppConfig


class TrustCenterConfig(AppConfig):
    name = "portal.trust_center"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit.platform_actions import register_platform_actions
        from portal.saved_views.found import register_openable
        from portal.saved_views.lists import register_list
        from portal.tenants.leaving import keep
        from portal.trust_center import filters, finding, models, work
        from portal.trust_center.kinds import AREA, CONTROL_CATEGORY, FAQ, FAQ_CATEGORY, RESOURCE, SHOWN_CONTROL

        work.register()
        # Somebody decided it here; it finds its document again after a new connection.
        keep(models.Renewal)
        register_platform_actions("resource.change", *(f"{FAQ}.{verb}" for verb in ("add", "change", "delete")))
        register_platform_actions(*(f"{FAQ_CATEGORY}.{verb}" for verb in ("add", "rename", "delete")))
        register_platform_actions(*(f"{SHOWN_CONTROL}.{verb}" for verb in ("show", "move", "hide")))
        register_platform_actions(*(f"{CONTROL_CATEGORY}.{verb}" for verb in ("add", "rename", "move", "delete")))
        register_list(
            "documents",
            label="Trust Center documents",
            url_name="trust_center:resources",
            filters=filters.ResourceFilters,
            area=AREA,
            find=finding.find_resources,
            searched=models.Resource,
        )
        register_list(
            "faqs",
            label="FAQs",
            url_name="trust_center:faqs",
            filters=filters.FaqFilters,
            area=AREA,
            find=finding.find_faqs,
            searched=models.Faq,
        )
        register_list(
            "controls",
            label="Trust Center controls",
            url_name="trust_center:controls",
            filters=filters.ShownControlFilters,
            area=AREA,
            find=finding.find_controls,
            searched=models.ShownControl,
        )
        register_list(
            "subprocessors",
            label="Subprocessors",
            url_name="trust_center:subprocessors",
            filters=filters.SubprocessorFilters,
            area=AREA,
            find=finding.find_subprocessors,
            searched=models.Subprocessor,
        )
        register_list(
            "frameworks",
            label="Compliance frameworks",
            url_name="trust_center:frameworks",
            filters=filters.FrameworkFilters,
            area=AREA,
            find=finding.find_frameworks,
            searched=models.Framework,
        )
        register_openable(RESOURCE, label="document", titles=finding.resource_titles, url=finding.resource_url)
        register_openable(FAQ, label="FAQ", titles=finding.faq_titles, url=finding.faq_url)
        register_openable(SHOWN_CONTROL, label="control", titles=finding.control_titles, url=finding.control_url)
