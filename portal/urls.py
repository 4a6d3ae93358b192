"""Every address of the site."""

from django.urls import include, path
from django.views.generic import RedirectView

from portal.celery import app as celery_app
from portal.connections.urls import callback_urlpatterns
from portal.contracts.urls import feed_urlpatterns as contract_feed_urlpatterns
from portal.deletion_requests.urls import link_urlpatterns as erasure_urlpatterns
from portal.inbox.urls import hook_urlpatterns
from portal.members.urls import link_urlpatterns as invitation_urlpatterns
from portal.members.views import create
from portal.questionnaires.urls import link_urlpatterns, rules_urlpatterns
from portal.today import health, views
from portal.users.views import profile

__all__ = ["celery_app"]

urlpatterns = [
    *hook_urlpatterns,  # the ones that are asked for most often
    path("", RedirectView.as_view(pattern_name="portfolio"), name="home"),
    path("portfolio/", views.portfolio, name="portfolio"),
    path("accounts/profile/", profile, name="profile"),
    path("accounts/", include("allauth.urls")),
    path("tenants/new/", create, name="create_tenant"),
    *callback_urlpatterns,
    *link_urlpatterns,
    *erasure_urlpatterns,
    *invitation_urlpatterns,
    *contract_feed_urlpatterns,
    path("t/<slug:slug>/", include("portal.today.urls")),
    path("t/<slug:slug>/questionnaires/", include("portal.questionnaires.urls")),
    path("t/<slug:slug>/access-requests/", include("portal.access_requests.urls")),
    path("t/<slug:slug>/trust-center-activity/", include("portal.trust_center_activity.urls")),
    path("t/<slug:slug>/contracts/", include("portal.contracts.urls")),
    path("t/<slug:slug>/commitments/", include("portal.commitments.urls")),
    path("t/<slug:slug>/incidents/", include("portal.incidents.urls")),
    path("t/<slug:slug>/customers/", include("portal.customers.urls")),
    path("t/<slug:slug>/deletion-requests/", include("portal.deletion_requests.urls")),
    path("t/<slug:slug>/trust-documents/", include("portal.trust_documents.urls")),
    path("t/<slug:slug>/settings/connection/", include("portal.connections.urls")),
    path("t/<slug:slug>/settings/webhooks/", include("portal.inbox.urls")),
    path("t/<slug:slug>/settings/members/", include("portal.members.urls")),
    path("t/<slug:slug>/settings/questionnaires/", include((rules_urlpatterns, "questionnaire_rules"))),
    path("t/<slug:slug>/settings/hours/", include("portal.calendars.urls")),
    path("styleguide/", include("portal.ui.urls")),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
]
