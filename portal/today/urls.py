from django.urls import path

from portal.today import views

app_name = "today"
urlpatterns = [path("", views.today, name="today")]
