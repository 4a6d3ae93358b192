from django.urls import path

from portal.trust_center_activity import views

app_name = "trust_center_activity"

urlpatterns = [
    path("", views.overview, name="overview"),
    path("from/<id:domain>/", views.of_domain, name="domain"),
    path("activity/", views.activity_list, name="activity"),
    path("activity/export/", views.activity_export, name="export"),
    path("conversations/", views.conversation_list, name="conversations"),
    path("conversations/export/", views.conversation_export, name="export_conversations"),
    path("conversations/<id:platform_id>/", views.conversation, name="conversation"),
    path("words/", views.watch, name="watch"),
    path("words/<int:word_id>/remove/", views.unwatch, name="unwatch"),
    path("words/<int:word_id>/follow/", views.follow, name="follow"),
    path("words/<int:word_id>/unfollow/", views.unfollow, name="unfollow"),
    path("words/<int:word_id>/seen/", views.mark_seen, name="seen"),
]
