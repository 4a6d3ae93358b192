from django.apps import AppConfig


class MembersConfig(AppConfig):
    name = "portal.members"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.members.models import FormerMember, Invitation
        from portal.tenants.leaving import keep, leave_out

        keep(Invitation, FormerMember)
        leave_out(Invitation, "token_digest")
