"""The deletion desk: requests to erase a person's customer-trust data, and the proof of what came of them.

Owns the ledger only. What the portal keeps of a person lies in other rooms, which erase it themselves (tenants.personal_data).
"""
