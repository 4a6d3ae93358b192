"""The forms that allauth uses: ours, where they say something in other words or count attempts otherwise."""

ACCOUNT_FORMS = {
    "signup": "portal.users.forms.SignUpForm",
    "change_password": "portal.users.password_forms.ChangePasswordForm",
    "set_password": "portal.users.password_forms.SetPasswordForm",
    "reset_password_from_key": "portal.users.password_forms.ResetPasswordKeyForm",
}

MFA_FORMS = {
    "authenticate": "portal.users.factor_forms.SignInCodeForm",
    "authenticate_webauthn": "portal.users.factor_forms.SignInPasskeyForm",
    "reauthenticate": "portal.users.factor_forms.ConfirmCodeForm",
    "reauthenticate_webauthn": "portal.users.factor_forms.ConfirmPasskeyForm",
    "activate_totp": "portal.users.factor_forms.AddAppForm",
    "add_webauthn": "portal.users.factor_forms.AddPasskeyForm",
}
