"""Everything that can happen to the platform's objects, with the events that follow.

The API, the console, the control calls and the ticker all change objects through here, so that they act alike.
"""
