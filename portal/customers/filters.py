"""The filters of the list of customers."""

from dataclasses import dataclass

from portal.accounts.merged_accounts import customers_of
from portal.accounts.models import Account, AccountQuerySet, Nda, Part
from portal.ui.list_filters import ListFilters, choice, text

MAX_DUPLICATES = 200
"""Whose words are looked at beside those of the customers themselves; more would be found by a word that says nothing."""
ORDER = ("name_sort", "id")
NDAS = {
    "": "Company NDA",
    **{value.lower(): f"Company NDA: {str(label).lower()}" for value, label in Nda.choices},
    "other": "Company NDA: another state",
}
APPROVALS = {"": "Any approval", "on": "Approved automatically", "off": "Not approved automatically"}
PRESENCES = {"": "On the platform", "gone": "Gone from the platform", "all": "Present and gone"}
MERGED = "merged"
PARTS = {"": "One row per customer", MERGED: "Merged duplicates"}


@dataclass(frozen=True, kw_only=True)
class CustomerFilters(ListFilters):
    """Which customers a page shows."""

    q: str = text()
    nda: str = choice(NDAS, label="Company NDA")
    approval: str = choice(APPROVALS, label="Approval")
    presence: str = choice(PRESENCES, label="Presence")
    parts: str = choice(PARTS, label="Rows")

    def rows(self) -> AccountQuerySet:
        """Give exactly the customers that these filters show."""
        rows: AccountQuerySet = Account.objects.merged() if self.parts else Account.objects.of_customers()
        rows = self._present(rows)
        if self.nda == "other":
            rows = rows.exclude(nda_status__in=Nda.values)
        elif self.nda:
            rows = rows.filter(nda_status=self.nda.upper())
        if self.approval:
            rows = rows.filter(approves_itself=self.approval == "on")
        return self._matching(rows)

    def _present(self, rows: AccountQuerySet) -> AccountQuerySet:
        """A customer is there as long as one of its accounts is."""
        if self.presence == "all":
            return rows
        if self.parts:
            return rows.gone() if self.presence else rows.present()
        if self.presence:
            return rows.gone().exclude(platform_id__in=Part.objects.still_there().values("account_id"))
        return rows.there()

    def _matching(self, rows: AccountQuerySet) -> AccountQuerySet:
        """A customer is found by the words of each of its accounts."""
        found = rows.matching(self.q)
        if not self.q or self.parts:
            return found
        duplicates = Account.objects.merged().matching(self.q).order_by().values_list("platform_id", flat=True)
        wholes = customers_of(duplicates[:MAX_DUPLICATES])
        mains = (
            Account.objects.filter(platform_id__in={whole.main_id for whole in wholes.values()}).order_by() if wholes else ()
        )
        # Most of them have the words themselves; to ask for both ways without need would cost the index of the search.
        words = self.q.casefold().split()
        others = [main.pk for main in mains if not all(word in main.search for word in words)]
        return found | rows.filter(pk__in=others) if others else found
