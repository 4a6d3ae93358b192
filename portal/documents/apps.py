from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "portal.documents"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit.platform_actions import register_platform_actions
        from portal.documents import filters, models, search_hits, work
        from portal.documents.kinds import AREA, DOCUMENT
        from portal.documents.services.erasure import register_personal_data
        from portal.saved_views.found import register_openable
        from portal.saved_views.lists import register_list

        work.register()
        register_personal_data()
        register_platform_actions(
            *(f"{DOCUMENT}.{verb}" for verb in ("upload", "delete_file", "add_link", "remove_link")),
        )
        register_list(
            "compliance-documents",
            label="Compliance documents",
            url_name="documents:list",
            filters=filters.DocumentFilters,
            area=AREA,
            find=search_hits.find_documents,
            searched=models.Document,
        )
        register_openable(
            DOCUMENT, label="compliance document", titles=search_hits.document_titles, url=search_hits.document_url
        )
