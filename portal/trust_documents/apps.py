from django.apps import AppConfig


class TrustDocumentsConfig(AppConfig):
    name = "portal.trust_documents"
