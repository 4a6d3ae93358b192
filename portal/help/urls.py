from django.urls import path

from portal.help import views

app_name = "help"
urlpatterns = [path("<slug:desk>/", views.desk, name="desk")]
