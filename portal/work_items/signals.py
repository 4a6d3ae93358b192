from django.dispatch import Signal

arrived = Signal()
"""Work that nobody has came to the tenant in scope, or came back.

Arguments: `kind`, `items` by the key of the desk's row, and `at`. Sent in the transaction that stores it.
"""
given = Signal()
"""Work that a member has came to them: it is new, or somebody else had it before.

Arguments: `kind`, `items` by the key of the desk's row, and `at`. Sent in the transaction that stores it.
"""
overdue = Signal()
"""The due moment of work has passed in the tenant in scope.

Arguments: `lines`, at most a hundred, and `at`. Sent in the transaction that notes how far it was looked.
"""
