from django.urls import path

from portal.connections import views

app_name = "connections"
urlpatterns = [
    path("", views.connection, name="connection"),
    path("connect/", views.connect, name="connect"),
    path("own-application/", views.own_application, name="own_application"),
    path("secret/", views.rotate_secret, name="rotate_secret"),
    path("confirm/", views.confirm, name="confirm"),
    path("reject/", views.reject, name="reject"),
    path("check/", views.check, name="check"),
    path("trust-center/", views.set_trust_center, name="set_trust_center"),
    path("export/", views.export, name="export"),
    path("disconnect/", views.disconnect, name="disconnect"),
    path("delete-tenant/", views.delete_tenant, name="delete_tenant"),
    path("records/<uuid:reference>/", views.exit_record, name="exit_record"),
]
callback_urlpatterns = [
    path("connect/callback/", views.callback, name="connect_callback"),
    path("connect/refused/<slug:reason>/", views.refused, name="connect_refused"),
]
