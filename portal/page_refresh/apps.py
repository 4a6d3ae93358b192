from django.apps import AppConfig
from django.urls import register_converter

from portal.lib.path_ids import IdConverter


class PageRefreshConfig(AppConfig):
    name = "portal.page_refresh"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.page_refresh.services import read_versions
        from portal.tenants.signals import opened

        opened.connect(read_versions, dispatch_uid="versions_first")
        # Before any room's addresses are read.
        register_converter(IdConverter, "id")
