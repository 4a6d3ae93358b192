from django.apps import AppConfig


class TrustCenterConfig(AppConfig):
    name = "portal.trust_center"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit.platform_actions import register_platform_actions
        from portal.saved_views.found import register_openable
        from portal.saved_views.lists import register_list
        from portal.tenants.offboarding import keep_after_purge
        from portal.trust_center import check_filters, filters, models, search_hits, work
        from portal.trust_center.kinds import (
            AREA,
            CONTROL_CATEGORY,
            FAQ,
            FAQ_CATEGORY,
            RESOURCE,
            SHOWN_CONTROL,
            SUBSCRIBER,
            SUBSCRIBER_GROUP,
            UPDATE,
        )
        from portal.trust_center.services.erasure import register_personal_data

        work.register()
        register_personal_data()
        # Somebody decided it here; it finds its document again after a new connection.
        keep_after_purge(models.Renewal)
        register_platform_actions(*(f"{RESOURCE}.{verb}" for verb in ("add", "change", "delete")))
        register_platform_actions(*(f"{FAQ}.{verb}" for verb in ("add", "change", "delete")))
        register_platform_actions(*(f"{FAQ_CATEGORY}.{verb}" for verb in ("add", "rename", "delete")))
        register_platform_actions(*(f"{SHOWN_CONTROL}.{verb}" for verb in ("show", "move", "hide")))
        register_platform_actions(*(f"{CONTROL_CATEGORY}.{verb}" for verb in ("add", "rename", "move", "delete")))
        register_platform_actions(*(f"{UPDATE}.{verb}" for verb in ("publish", "tell", "change", "delete")))
        register_platform_actions(*(f"{SUBSCRIBER}.{verb}" for verb in ("add", "groups", "remove")))
        register_platform_actions(*(f"{SUBSCRIBER_GROUP}.{verb}" for verb in ("add", "rename", "delete")))
        register_list(
            "documents",
            label="Trust Center documents",
            url_name="trust_center:resources",
            filters=filters.ResourceFilters,
            area=AREA,
            find=search_hits.find_resources,
            searched=models.Resource,
        )
        register_list(
            "faqs",
            label="FAQs",
            url_name="trust_center:faqs",
            filters=filters.FaqFilters,
            area=AREA,
            find=search_hits.find_faqs,
            searched=models.Faq,
        )
        register_list(
            "controls",
            label="Trust Center controls",
            url_name="trust_center:controls",
            filters=filters.ShownControlFilters,
            area=AREA,
            find=search_hits.find_controls,
            searched=models.ShownControl,
        )
        register_list(
            "subprocessors",
            label="Subprocessors",
            url_name="trust_center:subprocessors",
            filters=filters.SubprocessorFilters,
            area=AREA,
            find=search_hits.find_subprocessors,
            searched=models.Subprocessor,
        )
        register_list(
            "frameworks",
            label="Compliance frameworks",
            url_name="trust_center:frameworks",
            filters=filters.FrameworkFilters,
            area=AREA,
            find=search_hits.find_frameworks,
            searched=models.Framework,
        )
        register_list(
            "updates",
            label="Trust Center updates",
            url_name="trust_center:updates",
            filters=filters.UpdateFilters,
            area=AREA,
            find=search_hits.find_updates,
            searched=models.Update,
        )
        register_list(
            "subscribers",
            label="Subscribers",
            url_name="trust_center:subscribers",
            filters=filters.SubscriberFilters,
            area=AREA,
            find=search_hits.find_subscribers,
            searched=models.Subscriber,
        )
        register_list(
            "content-checks",
            label="Trust Center content to check",
            url_name="trust_center:checks",
            filters=check_filters.CheckFilters,
            area=AREA,
            find=search_hits.find_checks,
            searched=models.ContentCheck,
        )
        register_openable(RESOURCE, label="document", titles=search_hits.resource_titles, url=search_hits.resource_url)
        register_openable(FAQ, label="FAQ", titles=search_hits.faq_titles, url=search_hits.faq_url)
        register_openable(SHOWN_CONTROL, label="control", titles=search_hits.control_titles, url=search_hits.control_url)
        register_openable(UPDATE, label="update", titles=search_hits.update_titles, url=search_hits.update_url)
