from django.urls import path

from portal.customers import views

app_name = "customers"

urlpatterns = [
    path("", views.customer_list, name="list"),
    path("export/", views.export, name="export"),
    path("new/", views.new, name="new"),
    path("new/<int:creation_id>/put-away/", views.put_away, name="put_away"),
    path("people/", views.suggestion_list, name="suggestions"),
    path("people/attach/", views.attach, name="attach"),
    path("people/dismiss/", views.dismiss, name="dismiss"),
    path("people/bring-back/", views.bring_back, name="bring_back"),
    path("<str:platform_id>/", views.customer, name="customer"),
    path("<str:platform_id>/edit/", views.edit, name="edit"),
    path("<str:platform_id>/delete/", views.delete, name="delete"),
]
