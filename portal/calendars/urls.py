from django.urls import path

from portal.calendars import views

app_name = "calendars"
urlpatterns = [
    path("", views.hours, name="hours"),
    path("set/", views.set_hours, name="set_hours"),
    path("holidays/", views.add_holiday, name="add_holiday"),
    path("holidays/country/", views.add_country, name="add_country"),
    path("holidays/<int:holiday_id>/remove/", views.remove_holiday, name="remove_holiday"),
]
