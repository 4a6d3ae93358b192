from django.urls import path

from portal.questionnaires import views

app_name = "questionnaires"

urlpatterns = [
    path("", views.questionnaire_list, name="list"),
    path("<str:platform_id>/", views.questionnaire, name="questionnaire"),
    path("<str:platform_id>/activity/", views.activity, name="activity"),
    path("<str:platform_id>/details/", views.details, name="details"),
    path("<str:platform_id>/status/", views.set_status, name="status"),
    path("<str:platform_id>/approve/", views.approve, name="approve"),
    path("<str:platform_id>/complete/", views.complete, name="complete"),
    path("<str:platform_id>/responses/<str:response_id>/", views.response, name="response"),
]
