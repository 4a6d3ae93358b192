"""People whom somebody has named in the fields of a customer: erased when a deletion request asks. The customer stays."""

from functools import partial
from typing import Any

from portal.accounts.models import Account
from portal.accounts.services.store import AREA, account_columns
from portal.page_refresh.services import touch_areas
from portal.platform_api import models as remote
from portal.tenants.mentions import Mentions, register_mentions


def _of_account(payload: Any) -> dict[str, Any]:
    return account_columns(remote.Account.read(payload))


def register_personal_data() -> None:
    kept = Mentions(kind=Account, columns_of=_of_account, changed=partial(touch_areas, AREA))
    register_mentions([("People named in the fields of customers", kept)])
