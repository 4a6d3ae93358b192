from django.apps import AppConfig


class CommitmentsConfig(AppConfig):
    name = "portal.commitments"
