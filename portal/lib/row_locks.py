"""Locking rows as those who change them do: their keys stay free."""

from collections.abc import Sequence
from typing import Self

from django.db import models


class RowLockQuerySet[M: models.Model](models.QuerySet[M]):
    """A queryset whose locks keep nobody from adding rows that refer to the locked ones.

    PostgreSQL looks at references at the commit. By then that transaction has the lock of an area (`page_refresh`), for which
    whoever locked the row comes next: with a lock of the keys as well the two would wait for each other.
    """

    def select_for_update(
        self, nowait: bool = False, skip_locked: bool = False, of: Sequence[str] = (), no_key: bool = True
    ) -> Self:
        return super().select_for_update(nowait=nowait, skip_locked=skip_locked, of=of, no_key=no_key)
