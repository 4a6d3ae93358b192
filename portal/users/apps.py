from django.apps import AppConfig
from django.db.models.signals import post_migrate


class UsersConfig(AppConfig):
    name = "portal.users"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from allauth.account.signals import password_reset
        from allauth.mfa.signals import authenticator_added
        from django.contrib.auth.signals import user_logged_in

        from portal.users import dates, proof, sessions
        from portal.users.signals import make_cache_table

        post_migrate.connect(make_cache_table, sender=self, dispatch_uid="cache_table")
        user_logged_in.connect(sessions.start, dispatch_uid="session_start")
        user_logged_in.connect(dates.take_from_browser, dispatch_uid="dates_of_browser")
        password_reset.connect(proof.forget_what_was_set_before, dispatch_uid="proof_of_address")
        authenticator_added.connect(sessions.end_other_sessions, dispatch_uid="sessions_without_factor")
