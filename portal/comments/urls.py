from django.urls import path

from portal.comments import views

app_name = "comments"
urlpatterns = [
    path("<int:comment_id>/edit/", views.edit, name="edit"),
    path("<int:comment_id>/delete/", views.delete, name="delete"),
    path("<int:comment_id>/remove/", views.remove, name="remove"),
    path("<int:comment_id>/resolve/", views.resolve, name="resolve"),
    path("<int:comment_id>/reopen/", views.reopen, name="reopen"),
    path("on/<slug:kind>/<id:object_id>/", views.thread, name="thread"),
    path("on/<slug:kind>/<id:object_id>/add/", views.add, name="add"),
    path("on/<slug:kind>/<id:object_id>/people/", views.people, name="people"),
]
