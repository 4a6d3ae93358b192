from django.urls import path

from portal.tenant_settings import views

app_name = "settings"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("roles/", views.roles, name="roles"),
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-in/activity/", views.sign_in_activity, name="sign_in_activity"),
    path("audit/", views.audit, name="audit"),
    path("audit/<int:entry_id>/", views.audit_entry, name="audit_entry"),
    path("audit/export/", views.audit_export, name="audit_export"),
]
