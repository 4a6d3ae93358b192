"""The sandbox: a full imitation of the platform with a database, a console and a control interface of its own.

It is written from the specification alone and shares no code with the portal.
"""
