from django.apps import AppConfig


class DeletionRequestsConfig(AppConfig):
    name = "portal.deletion_requests"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.deletion_requests import (
            commented,
            signals,  # noqa: F401 - connects its receivers
            work,
        )
        from portal.deletion_requests.filters import LedgerFilters
        from portal.deletion_requests.models import DeletionRequest, DeskSettings, IntakeLink, SecondLook
        from portal.deletion_requests.search_hits import find_deletion_requests
        from portal.deletion_requests.selectors import attention_count
        from portal.saved_views.lists import register_list
        from portal.tenants.models import ErasedIdentifier
        from portal.tenants.offboarding import exclude_from_export, keep_after_purge
        from portal.ui.navigation import register_count

        work.register()
        commented.register()
        register_count("deletion_requests", lambda tenant: attention_count(), is_urgent=True)
        # The ledger is the proof of what was erased for whom; the platform keeps none.
        keep_after_purge(DeletionRequest, SecondLook, ErasedIdentifier)
        # People made these; they are no copy of anything on the platform.
        keep_after_purge(DeskSettings, IntakeLink)
        exclude_from_export(IntakeLink, "public_id")
        register_list(
            "deletion-requests",
            label="Deletion requests",
            url_name="deletion_requests:list",
            filters=LedgerFilters,
            area="deletion_requests",
            find=find_deletion_requests,
            searched=DeletionRequest,
        )
