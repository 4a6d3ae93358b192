from django.urls import path

from portal.inbox import views

app_name = "inbox"
urlpatterns = [
    path("", views.webhooks, name="webhooks"),
    path("endpoints/<int:endpoint_id>/secret/", views.secret, name="secret"),
    path("endpoints/<int:endpoint_id>/end-old-secret/", views.end_old_secret, name="end_old_secret"),
    path("replay-failed/", views.replay_failed, name="replay_failed"),
    path("replay/", views.replay_range, name="replay_range"),
    path("deliveries/<int:delivery_id>/", views.delivery, name="delivery"),
    path("deliveries/<int:delivery_id>/replay/", views.replay, name="replay"),
    path("deliveries/<int:delivery_id>/dismiss/", views.dismiss, name="dismiss"),
]
# With and without the last slash: a redirect would count as a failed delivery (guarantee H14).
hook_urlpatterns = [
    path("hooks/<str:endpoint_id>", views.receive),
    path("hooks/<str:endpoint_id>/", views.receive, name="hook"),
    path("hooks/<str:endpoint_id>/<str:event_type>", views.receive),
    path("hooks/<str:endpoint_id>/<str:event_type>/", views.receive, name="typed_hook"),
]
