from django.urls import path

from portal.look import views

app_name = "look"
urlpatterns = [path("", views.styleguide, name="styleguide")]
