"""What the platform sent becomes rows."""

from portal.accounts.services.store import ACCOUNT, AREA, store_account

__all__ = ["ACCOUNT", "AREA", "store_account"]
