from django.urls import path

from portal.single_sign_on import views

app_name = "single_sign_on"
urlpatterns = [
    path("", views.settings_page, name="settings"),
    path("domains/", views.add_domain, name="add_domain"),
    path("domains/<int:domain_id>/check/", views.check_domain, name="check_domain"),
    path("domains/<int:domain_id>/mail/", views.mail_postmaster, name="mail_postmaster"),
    path("domains/<int:domain_id>/remove/", views.remove_domain, name="remove_domain"),
    path("provider/", views.configure, name="configure"),
    path("saml/", views.configure_saml, name="configure_saml"),
    path("provider/remove/", views.remove_provider, name="remove_provider"),
    path("require/", views.require, name="require"),
    path("people/<int:account_id>/unlink/", views.unlink, name="unlink"),
]

sign_in_urlpatterns = [
    path("accounts/logout/", views.SignOut.as_view(), name="account_logout"),
    path("company-sign-in/", views.start, name="company_sign_in"),
    path("company-sign-in/<slug:slug>/callback/", views.callback, name="company_sign_in_callback"),
    path("company-sign-in/<slug:slug>/saml/", views.saml_response, name="saml_response"),
    path("company-sign-in/<slug:slug>/saml/finish/", views.saml_finish, name="saml_finish"),
    path("company-sign-in/<slug:slug>/saml/logout/", views.saml_logout, name="saml_logout"),
    path("company-sign-in/<slug:slug>/saml/metadata/", views.saml_metadata, name="saml_metadata"),
    path("company-sign-in/<slug:slug>/sign-out/", views.sign_out_by_token, name="company_sign_out"),
    path("mail-domain/<str:token>/", views.prove_mail_domain, name="prove_mail_domain"),
    path("accounts/company-sign-in/confirm/", views.confirm, name="company_sign_in_confirm"),
]
