from django.urls import path

from portal.notifications import views

app_name = "notifications"
urlpatterns = [
    path("", views.notifications, name="list"),
    path("bell/", views.bell, name="bell"),
    path("unread/", views.unread, name="unread"),
    path("read/", views.read_all, name="read_all"),
    path("<int:notification_id>/open/", views.open_page, name="open"),
]

settings_urlpatterns = [
    path("", views.preferences, name="preferences"),
    path("choose/", views.choose, name="choose"),
    path("quiet/", views.quiet, name="quiet"),
    path("test/", views.test, name="test"),
    path("team/", views.choose_for_team, name="choose_for_team"),
    path("team/slack/app/", views.slack_app, name="slack_app"),
    path("team/<slug:channel>/", views.channel, name="channel"),
    path("team/<slug:channel>/test/", views.test_channel, name="test_channel"),
    path("team/<slug:channel>/secret/", views.new_secret, name="new_secret"),
    path("team/<slug:channel>/remove/", views.remove_channel, name="remove_channel"),
]
