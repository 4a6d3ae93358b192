"""How the database would answer a query, read in the same way from the plans of SQLite and PostgreSQL."""

import re
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

PREFERENCES = ("enable_seqscan", "enable_bitmapscan", "enable_sort")
"""PostgreSQL reads a table of a few rows whole, and sorts it: without these it shows whether an index could do both."""


@dataclass(frozen=True)
class Plan:
    text: str

    @property
    def sorts(self) -> bool:
        return "TEMP B-TREE" in self.text or "Sort" in self.text

    def sought_in(self, index: str) -> list[str]:
        """Return the columns by which rows are found in an index, in their order; none where it is not used."""
        found = re.search(rf"{index} \((.*)\)$", self.text, re.MULTILINE) or re.search(
            rf"using {index} on .*\n\s*Index Cond: (.*)$", self.text, re.MULTILINE
        )
        # PostgreSQL may say the same of a column twice.
        return list(dict.fromkeys(re.findall(r"(\w+) ?[=<>]", found[1]))) if found else []


def plan_of(rows: QuerySet[Any]) -> Plan:
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                for name in PREFERENCES:
                    cursor.execute(f"SET LOCAL {name} = off")
        text = rows.explain()
        transaction.set_rollback(True)
    return Plan(text)
