"""The Trust Center itself: settings, icon, videos, and what data it says is collected (platform-api 4.5.1, 4.5.12)."""

from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.handlers import saved, succeeding
from portal.sandbox.api.route import Call, Form, Operation, Route
from portal.sandbox.kinds.showcase import COLLECTED, DATA_COLLECTED, VIDEO
from portal.sandbox.kinds.trust_center import TRUST_CENTER, VISIBILITY_MODES
from portal.sandbox.schemas import (
    BOOLEAN,
    MAYBE_STRING,
    NAME,
    STRING,
    array,
    closed,
    one_of,
    text,
    unpaged,
)
from portal.sandbox.store import Json

KIND = "trust-centers"
PATH = "/trust-centers/<slug_id>"
PATCH = closed(
    title=MAYBE_STRING,
    companyDescription=MAYBE_STRING,
    privacyPolicy=MAYBE_STRING,
    awsMarketplaceListing=MAYBE_STRING,
    contactEmail=MAYBE_STRING,
    customHeading=MAYBE_STRING,
    isPublic=BOOLEAN,
    bannerSetting=closed(required=["setting"], setting=one_of("GRADIENT", "MINIMAL"), startColor=STRING, endColor=STRING),
    customTheme=closed(primary=MAYBE_STRING, secondary=MAYBE_STRING),
    controlVisibilityMode=VISIBILITY_MODES,
)
ITEM = closed(required=["dataCollected", "status"], dataCollected=NAME, status=COLLECTED)
COLLECTION = closed(required=["dataCollected"], dataCollected=array(ITEM), dataCollectedHeading=MAYBE_STRING)
COLLECTED_ANSWER = unpaged(DATA_COLLECTED)
FIRST_COLLECTED: Json = {
    "results": [
        {"dataCollected": "Contact details", "status": "COLLECTED"},
        {"dataCollected": "Usage data", "status": "COLLECTED"},
        {"dataCollected": "Payment data", "status": "NOT_COLLECTED"},
    ],
    "dataCollectedHeading": None,
}
VIDEO_SITES = r"^https://(www\.|m\.|player\.)?(youtube\.com|youtu\.be|vimeo\.com)/."
SHOWN_VIDEO = closed(required=["url", "title"], url=text(pattern=VIDEO_SITES), title=NAME, description=STRING)


def read(call: Call) -> Json:
    return call.sandbox.objects.all(call.tenant.id, KIND, limit=1)[0]


def update(call: Call) -> Json:
    """Change what was sent; colours and banners are replaced as wholes."""
    changes = dict(call.body)
    if "bannerSetting" in changes:
        changes["bannerSetting"] = {"startColor": None, "endColor": None} | changes["bannerSetting"]
    if "customTheme" in changes:
        changes["customTheme"] = {"primary": None, "secondary": None} | changes["customTheme"]
    return saved(call, KIND, read(call) | changes)


def set_icon(call: Call) -> None:
    if read(call)["customDomain"] is None:
        raise unprocessable("An icon of its own needs a custom domain")


def collected(call: Call) -> Json:
    """Answer the list; the heading can be set, and nothing published tells it."""
    kept: Json = call.sandbox.store.setting(f"data-collected/{call.tenant.id}", FIRST_COLLECTED)
    return {"results": kept["results"]}


def set_collected(call: Call) -> Json:
    """Replace the whole list."""
    kept = {"results": call.body["dataCollected"], "dataCollectedHeading": call.body.get("dataCollectedHeading")}
    call.sandbox.store.set_setting(f"data-collected/{call.tenant.id}", kept)
    return collected(call)


def set_videos(call: Call) -> Json:
    """Replace the whole list."""
    videos = [{"description": None} | video for video in call.body["videos"]]
    call.sandbox.store.set_setting(f"videos/{call.tenant.id}", videos)
    return {"results": videos}


VIDEOS = closed(required=["videos"], videos=array(SHOWN_VIDEO))
ROUTES = (
    Route("GET", PATH, read, answer=TRUST_CENTER),
    Route("PATCH", PATH, update, body=PATCH, answer=TRUST_CENTER),
    Route("POST", f"{PATH}/favicon", succeeding(set_icon), form=Form(schema=closed(), file="favicon"), refusals=(422,)),
    Route("GET", f"{PATH}/data-collected", collected, answer=COLLECTED_ANSWER),
    Route("PUT", f"{PATH}/data-collected", set_collected, body=COLLECTION, answer=COLLECTED_ANSWER),
    Route("PUT", f"{PATH}/videos", Operation(run=set_videos, answer=unpaged(VIDEO)), body=VIDEOS),
)
