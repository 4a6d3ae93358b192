from django.apps import AppConfig


class TrustDocumentsConfig(AppConfig):
    name = "portal.trust_documents"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.tags import register_tag_names
        from portal.audit.platform_actions import register_platform_actions
        from portal.saved_views.lists import register_list
        from portal.trust_documents import (
            signals,  # noqa: F401 - connects its receivers
            work,
        )
        from portal.trust_documents.filters import MatrixFilters
        from portal.trust_documents.tag_names import tag_names

        work.register()
        register_platform_actions("tag_category.on", "tag_category.off")
        register_tag_names(tag_names)
        register_list("tags", label="Tags", url_name="trust_documents:matrix", filters=MatrixFilters, area="trust_documents")
