import logging

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from pydantic import ValidationError

from portal.lib.sealed import Locked
from portal.notifications.http import NotConfirmed, NotTaken
from portal.notifications.kinds import Channel
from portal.notifications.models import TeamChannel
from portal.slack import payloads, services
from portal.slack.signatures import is_signed
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope

logger = logging.getLogger(__name__)


@login_not_required
@csrf_exempt
@require_POST
def interaction(request: HttpRequest, slug: str) -> HttpResponse:
    """What somebody has pressed in Slack. Whatever Slack has not signed gets the answer of a tenant that does not exist."""
    tenant = Tenant.objects.filter(slug=slug, closed_at=None).first()
    if tenant is None:
        raise Http404("no such tenant")
    with tenant_scope(tenant.pk):
        row = TeamChannel.objects.select_related("tenant").filter(channel=Channel.SLACK).first()
        if row is None or not row.has_app or not _is_from_slack(request, row):
            raise Http404("not signed by the app of a tenant")
        try:
            return _answer(row, payloads.read.validate_json(request.POST.get("payload", "")))
        except ValidationError:
            return HttpResponse("This payload can't be read.", status=400, content_type="text/plain")
        except (NotTaken, NotConfirmed) as error:
            # Slack tells whoever pressed that it did not work.
            logger.warning("Slack did not answer while somebody decided there, tenant %s: %s", tenant.pk, error)
            return HttpResponse("Slack didn't answer.", status=502, content_type="text/plain")


def _is_from_slack(request: HttpRequest, row: TeamChannel) -> bool:
    try:
        secret = row.open("signing_secret")
    except Locked:
        logger.exception("the signing secret of a Slack app can't be read: a key is missing from FIELD_ENCRYPTION_KEYS")
        return False
    return is_signed(
        request.body,
        signature=request.headers.get("X-Slack-Signature", ""),
        timestamp=request.headers.get("X-Slack-Request-Timestamp", ""),
        secret=secret,
        now=timezone.now().timestamp(),
    )


def _answer(row: TeamChannel, payload: payloads.Press | payloads.Submission | payloads.Other) -> HttpResponse:
    match payload:
        case payloads.Press():
            services.press(row, payload)
        case payloads.Submission():
            return JsonResponse(services.submit(row, payload))
    return HttpResponse()
