from django.urls import path

from portal.first_hour import views

app_name = "first_hour"
urlpatterns = [
    path("connect/", views.connect, name="connect"),
    path("connect/consent/", views.consent, name="consent"),
    path("connected/", views.connected, name="connected"),
    path("trust-center/", views.trust_center, name="trust_center"),
    path("webhooks/", views.webhooks, name="webhooks"),
    path("invite/", views.invite, name="invite"),
    path("hours/", views.hours, name="hours"),
    path("strip/", views.strip, name="strip"),
    path("dismiss/", views.dismiss, name="dismiss"),
]
