from django.urls import path

from portal.language_model import views

app_name = "language_model"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("switch/", views.switch, name="switch"),
    path("calls/<int:call_id>/", views.call, name="call"),
]
