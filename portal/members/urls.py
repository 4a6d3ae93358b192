from django.urls import path

from portal.members import views

app_name = "members"
urlpatterns = [
    path("", views.members, name="list"),
    path("invite/", views.invite, name="invite"),
    path("leave/", views.leave, name="leave"),
    path("<int:member_id>/role/", views.change_role, name="change_role"),
    path("<int:member_id>/remove/", views.remove, name="remove"),
    path("invitations/<int:invitation_id>/resend/", views.resend, name="resend"),
    path("invitations/<int:invitation_id>/withdraw/", views.withdraw, name="withdraw"),
]

link_urlpatterns = [
    path("invitation/", views.invitation, name="invitation"),
    path("invitation/decline/", views.decline, name="decline_invitation"),
    path("invitation/<str:token>/", views.open_invitation, name="open_invitation"),
]
