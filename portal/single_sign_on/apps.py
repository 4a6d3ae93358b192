from django.apps import AppConfig


class SingleSignOnConfig(AppConfig):
    name = "portal.single_sign_on"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from allauth.account.signals import user_logged_in
        from django.db.models.signals import post_delete

        from portal.single_sign_on import signals
        from portal.single_sign_on.models import SEALED_FIELDS, IdentityProvider, MailDomain
        from portal.tenants.offboarding import exclude_from_export, keep_after_purge
        from portal.tenants.sealing import Sealed, register_sealed

        keep_after_purge(IdentityProvider, MailDomain)
        exclude_from_export(IdentityProvider, *SEALED_FIELDS)
        register_sealed(Sealed(IdentityProvider, SEALED_FIELDS, lambda row, field: row.place(field)))
        user_logged_in.connect(signals.note_sign_in, dispatch_uid="company_sign_in")
        post_delete.connect(signals.forget_links, sender=IdentityProvider, dispatch_uid="links_of_provider")
