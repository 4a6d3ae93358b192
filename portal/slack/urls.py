from django.urls import path

from portal.slack import views

interaction_urlpatterns = [path("slack/<slug:slug>/", views.interaction, name="slack_interaction")]
