"""Whether work is being done: heartbeats of the workers, their supervisor, the shared clock, and the operator's alarms.

It knows of tasks that they arrive, never what they do.
"""
