from django.urls import path

from portal.event_log import views

app_name = "event_log"

urlpatterns = [
    path("", views.log, name="log"),
    path("export/", views.export, name="export"),
]
