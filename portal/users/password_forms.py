"""allauth's forms for passwords, with labels in the portal's own words."""

from typing import Any, ClassVar

from allauth.account import forms as allauth

NEW = {"password1": "New password", "password2": "New password, again"}


class Labelled:
    """A form whose fields are called by `labels`. Their placeholders only repeat what allauth calls them."""

    labels: ClassVar = NEW

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, label in self.labels.items():
            field = self.fields[name]  # type: ignore[attr-defined] # of the form that it is mixed into
            field.label = label
            field.widget.attrs.pop("placeholder", None)


class ChangePasswordForm(Labelled, allauth.ChangePasswordForm):  # type: ignore[misc] # allauth ships no types
    """A new password of somebody who knows the old one."""

    labels: ClassVar = {"oldpassword": "Current password"} | NEW


class SetPasswordForm(Labelled, allauth.SetPasswordForm):  # type: ignore[misc]
    """A first password of somebody who signs in otherwise."""


class ResetPasswordKeyForm(Labelled, allauth.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password of somebody who has opened the link of a mail."""
