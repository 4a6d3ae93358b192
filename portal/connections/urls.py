from django.urls import path

from portal.connections import views

app_name = "connections"
urlpatterns = [
    path("", views.connection, name="connection"),
    path("connect/", views.connect, name="connect"),
    path("disconnect/", views.disconnect, name="disconnect"),
    path("trust-center/", views.set_trust_center, name="set_trust_center"),
]
callback_urlpatterns = [
    path("connect/callback/", views.callback, name="connect_callback"),
    path("connect/refused/<slug:reason>/", views.refused, name="connect_refused"),
]
