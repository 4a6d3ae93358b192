"""Audits of an audit firm (audit engagements, specification section 1): information requests, evidence, controls, comments.

The room is called after engagements because `portal/audit` is the trail of who did what here.
"""
