class BackupRefused(Exception):
    """Nothing was copied or replaced; the message tells the operator why and what to do."""
