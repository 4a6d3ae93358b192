"""What the platform sent becomes rows."""

from portal.accounts.services.storing import ACCOUNT, AREA, store_account

__all__ = ["ACCOUNT", "AREA", "store_account"]
