from django.apps import AppConfig


class MembersConfig(AppConfig):
    name = "portal.members"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.members.models import FormerMember, Invitation
        from portal.tenants.offboarding import exclude_from_export, keep_after_purge

        keep_after_purge(Invitation, FormerMember)
        exclude_from_export(Invitation, "token_digest")
