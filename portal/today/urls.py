from django.urls import path

from portal.today import copy_views, portfolio_views, told_views, views

app_name = "today"
urlpatterns = [
    path("", views.today, name="today"),
    path("today/seen/", views.note_seen, name="seen"),
    path("today/names/<slug:action>/", views.names, name="names"),
    path("today/undo/", views.undo_decisions, name="undo"),
    path("today/copy/", copy_views.copy_settings, name="copy_settings"),
    path("today/portfolio/<int:item_id>/<slug:action>/", portfolio_views.act_from_portfolio, name="act_from_portfolio"),
    path("today/<int:item_id>/<slug:action>/", views.act_on_item, name="act"),
]

told_urlpatterns = [
    path("", told_views.notifications, name="list"),
    path("bell/", told_views.bell, name="bell"),
    path("unread/", told_views.unread, name="unread"),
    path("read/", told_views.read_all, name="read_all"),
]
