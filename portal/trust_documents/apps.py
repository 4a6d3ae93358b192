from django.apps import AppConfig


class TrustDocumentsConfig(AppConfig):
    name = "portal.trust_documents"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.tags import register_tag_names
        from portal.trust_documents import signals  # noqa: F401 - connects its receivers
        from portal.trust_documents.tag_names import tag_names

        register_tag_names(tag_names)
