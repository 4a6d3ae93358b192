"""What the platform sent becomes rows."""

from portal.accounts.services.store import ACCOUNT, AREA, as_stored, store_account

__all__ = ["ACCOUNT", "AREA", "as_stored", "store_account"]
