from django.apps import AppConfig
from django.urls import register_converter

from portal.lib.path_ids import IdConverter


class PageRefreshConfig(AppConfig):
    name = "portal.page_refresh"

    def ready(self) -> None:
        # Before any room's addresses are read.
        register_converter(IdConverter, "id")
