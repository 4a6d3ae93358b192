"""The filters of any list under a name, for oneself or for everybody."""
