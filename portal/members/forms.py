from typing import Any

from django import forms

from portal.tenants.models import Membership, Role


class TenantForm(forms.Form):
    """A new tenant."""

    name = forms.CharField(max_length=120, label="Company name", help_text="The company whose trust work is done here.")


class RoleField(forms.TypedChoiceField):
    """The roles up to the own one: nobody hands out more than they have."""

    def __init__(self, *, by: Membership, **options: Any) -> None:
        choices = [(role.value, f"{role.label}: {role.meaning}") for role in Role if by.may(role)]
        super().__init__(choices=choices, coerce=lambda value: Role(int(value)), **options)


class InviteForm(forms.Form):
    """Whom to let in, as what."""

    email = forms.EmailField(label="Email")

    def __init__(self, *args: Any, by: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"] = RoleField(by=by, initial=Role.ANALYST)


class RoleForm(forms.Form):
    """Another role for a member."""

    def __init__(self, *args: Any, by: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"] = RoleField(by=by)
