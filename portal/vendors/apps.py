from django.apps import AppConfig


class VendorsConfig(AppConfig):
    name = "portal.vendors"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit.platform_actions import register_platform_actions
        from portal.saved_views.found import register_openable
        from portal.saved_views.lists import register_list
        from portal.trust_center.linked_vendors import register_linked_vendors
        from portal.vendors import filters, models, search_hits, work
        from portal.vendors.kinds import AREA, VENDOR
        from portal.vendors.services.erasure import register_personal_data

        work.register()
        register_personal_data()
        register_platform_actions("vendor.status", "vendor_finding.add", "vendor_finding.change")
        register_linked_vendors(search_hits.vendors_of_subprocessors, area=AREA)
        register_list(
            "vendors",
            label="Vendors",
            url_name="vendors:list",
            filters=filters.VendorFilters,
            area=AREA,
            find=search_hits.find_vendors,
            searched=models.Vendor,
        )
        register_openable(VENDOR, label="vendor", titles=search_hits.vendor_titles, url=search_hits.vendor_url)
