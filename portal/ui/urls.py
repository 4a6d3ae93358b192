from django.urls import path

from portal.ui import views

app_name = "ui"
urlpatterns = [path("", views.styleguide, name="styleguide")]
