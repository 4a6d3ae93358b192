"""The access desk: Trust Center access requests, their decisions, and the viewers that follow."""
