from django.urls import path

from portal.commitments import views

app_name = "commitments"

urlpatterns = [
    path("", views.matrix, name="matrix"),
    path("export/", views.export_matrix, name="export_matrix"),
    path("register/", views.register, name="register"),
    path("register/export/", views.export_register, name="export_register"),
    path("new/", views.new, name="new"),
    path("standard/", views.standards, name="standards"),
    path("standard/<str:term>/", views.standard, name="standard"),
    path("standard/<str:term>/remove/", views.remove_standard, name="remove_standard"),
    path("suggestions/", views.suggestions, name="suggestions"),
    path("suggestions/export/", views.export_suggestions, name="export_suggestions"),
    path("suggestions/decide/", views.decide_many, name="decide_many"),
    path("suggestions/<int:suggestion_id>/accept/", views.accept, name="accept"),
    path("suggestions/<int:suggestion_id>/correct/", views.correct, name="correct"),
    path("suggestions/<int:suggestion_id>/put-away/", views.dismiss, name="dismiss"),
    path("answers/", views.contradictions, name="contradictions"),
    path("answers/<int:contradiction_id>/resolve/", views.resolve, name="resolve"),
    path("<int:commitment_id>/", views.commitment, name="commitment"),
    path("<int:commitment_id>/change/", views.change, name="change"),
    path("<int:commitment_id>/end/", views.end, name="end"),
]
