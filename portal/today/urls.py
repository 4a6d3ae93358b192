from django.urls import path

from portal.today import portfolio_views, told_views, views

app_name = "today"
urlpatterns = [
    path("", views.today, name="today"),
    path("today/seen/", views.note_seen, name="seen"),
    path("today/undo/", views.undo_decisions, name="undo"),
    path("today/copy-hours/", portfolio_views.copy_hours, name="copy_hours"),
    path("today/portfolio/<int:item_id>/<slug:action>/", portfolio_views.act_from_portfolio, name="act_from_portfolio"),
    path("today/<int:item_id>/<slug:action>/", views.act_on_item, name="act"),
]

told_urlpatterns = [
    path("", told_views.notifications, name="list"),
    path("bell/", told_views.bell, name="bell"),
    path("unread/", told_views.unread, name="unread"),
    path("read/", told_views.read_all, name="read_all"),
]
